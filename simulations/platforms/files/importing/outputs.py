"""Outputs of administrative commands: what they say is read, and nothing is ever written into them."""

from collections.abc import Iterable

from simulations.platforms.files.importing.drafts import Draft

OUTPUT = "a command printed it, and that text is not changed"


def unpatched(drafts: Iterable[Draft], file: str) -> None:
    """Take back that a file would get the settings that it leaves out: it is an output."""
    for draft in drafts:
        for setting, additions in list(draft.lacking.items()):
            kept = tuple(addition for addition in additions if addition.file != file)
            if kept:
                draft.lacking[setting] = kept
            else:
                del draft.lacking[setting]
                draft.refused.setdefault(setting, OUTPUT)
