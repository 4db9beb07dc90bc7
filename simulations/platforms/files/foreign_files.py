"""Files that look like those that are read and are not: what they are, and what to give instead."""

from simulations.declarations.tables import table_beside
from simulations.platforms.files.syntax.signatures import other_encoding, root_of
from simulations.platforms.files.websphere.admin_config import is_printed
from simulations.platforms.files.websphere.resources import holds_specs
from simulations.platforms.files.websphere.server import holds_server

MESSAGES = (b"<admin-object-resource", b"<connector-connection-pool", b"<connector-resource", b"<jms-resource")
"""What GlassFish's file of resources holds when it says something about messages."""
STRANGERS = table_beside(__file__, "strangers.yaml")


def stranger(content: bytes) -> str:
    """Return what a well-known file of another kind is, as a sentence; empty for all others."""
    root, attributes = root_of(content)
    if not root:
        kinds = () if is_printed(content) else STRANGERS
        texts = (kind["text"] for kind in kinds if any(part.encode() in content for part in kind.get("words", ())))
        return other_encoding(content) or next(texts, "")
    is_read = root == "XMI" and (holds_specs(root, content) or holds_server(root, content))
    if is_read or (root == "resources" and any(mark in content for mark in MESSAGES)):
        return ""
    for kind in STRANGERS:
        if root in kind.get("roots", ()) and any(part in attributes for part in kind.get("attributes", [""])):
            return f"<{root}>: {kind['text']}"
    return ""
