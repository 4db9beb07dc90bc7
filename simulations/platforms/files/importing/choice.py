"""Which cluster or server is meant where files have several: a file of the set says it, so that it stays with them."""

from collections.abc import Iterable, Mapping

from simulations.declarations.problems import InvalidInput, nearest, problem

CHOICE = "cluster-or-server.choice"
"""Name of the file whose content is the name of the cluster or server."""
ASKED = "target"
"""Path of a line of an account that asks for this name; an upload is refused until it is given."""


def chosen_in(files: Mapping[str, bytes]) -> str:
    """Return the name that was chosen; empty where the files themselves decide."""
    return files.get(CHOICE, b"").decode()


def without_choice(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that somebody configured."""
    return {file: content for file, content in files.items() if file != CHOICE}


def check_choice(name: str, known: Iterable[str]) -> None:
    """Raise InvalidInput that lists the clusters and servers unless ``name`` is one of them."""
    names = sorted({item for item in known if item})
    if name not in names:
        message = f"the files have no cluster and no server of this name; {nearest(name, names)}"
        raise InvalidInput([problem(("target",), message, value=name)])
