"""Files that look like those that are read and are not: what they are, and what to give instead."""

from simulations.platforms.files.syntax.signatures import other_encoding, root_of
from simulations.platforms.files.websphere.resources import holds_specs
from simulations.platforms.files.websphere.server import BINDINGS, holds_server

MESSAGES = (b"<admin-object-resource", b"<connector-connection-pool", b"<connector-resource", b"<jms-resource")
"""What GlassFish's file of resources holds when it says something about messages."""
STRANGERS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        ("server", "client"),
        ("",),
        "this is a file of Liberty or WildFly, not the server.xml of WebSphere Application Server, whose root is "
        "<process:Server>; enter its limits by hand, on Liberty maxEndpoints of each jmsActivationSpec",
    ),
    (
        ("Server",),
        ("shutdown=",),
        "this is the server.xml of Tomcat; that of WebSphere Application Server has the root <process:Server>",
    ),
    (
        ("domain",),
        ("urn:jboss:", "tmaxsoft"),
        "this is the domain.xml of WildFly, JBoss or JEUS; that of GlassFish has no namespace, the config.xml of "
        "WebLogic one of Oracle or BEA",
    ),
    (
        ("Domain",),
        ("ConfigurationVersion",),
        "this is the config.xml of WebLogic 8.1 or older; enter its execute queues and limits by hand",
    ),
    (
        BINDINGS,
        ("",),
        "this file says which activation specification or listener port a bean has; their limits stand in "
        "resources.xml and server.xml",
    ),
    (
        ("web-app", "application", "sun-web-app", "glassfish-web-app", "persistence"),
        ("",),
        "this file says nothing about message-driven beans",
    ),
)
"""Root elements, parts of their attributes of which one must be there (an empty one is), and what such a file is."""
NO_SPECS = (
    "there is no activation specification in this file of WebSphere; they stand in the resources.xml of their server, "
    "node, cluster or cell, listener ports in server.xml"
)
NO_MESSAGES = "there is no connection factory and no destination among these resources"


def stranger(content: bytes) -> str:
    """Return what a well-known file of another kind is, as a sentence; empty for all others."""
    root, attributes = root_of(content)
    if not root:
        return other_encoding(content)
    found = [text for roots, parts, text in STRANGERS if root in roots and any(part in attributes for part in parts)]
    if root == "XMI" and not holds_specs(root, content) and not holds_server(root, content):
        found = [NO_SPECS]
    elif root == "resources" and not any(mark in content for mark in MESSAGES):
        found = [NO_MESSAGES]
    return f"<{root}>: {found[0]}" if found else ""
