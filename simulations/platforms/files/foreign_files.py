"""Files that look like those that are read and are not: what they are, and what to give instead."""

from collections.abc import Callable

from simulations.platforms.files.syntax.signatures import other_encoding, root_of
from simulations.platforms.files.websphere.resources import holds_specs
from simulations.platforms.files.websphere.server import BINDINGS, holds_server

MESSAGES = (b"<admin-object-resource", b"<connector-connection-pool", b"<connector-resource", b"<jms-resource")
"""What GlassFish's file of resources holds when it says something about messages."""
Test = Callable[[str, str, bytes], bool]
"""Tells by root element, its attributes and the content."""


def _roots(*names: str) -> Test:
    return lambda root, _, __: root in names


def _root_with(name: str, *parts: str) -> Test:
    return lambda root, attributes, _: root == name and any(part in attributes for part in parts)


def _xmi_without_specs(root: str, _: str, content: bytes) -> bool:
    return root == "XMI" and not holds_specs(root, content) and not holds_server(root, content)


def _resources_without_messages(root: str, _: str, content: bytes) -> bool:
    return root == "resources" and not any(mark in content for mark in MESSAGES)


STRANGERS: tuple[tuple[Test, str], ...] = (
    (
        _roots("server", "client"),
        "this is a file of Liberty or WildFly, not the server.xml of WebSphere Application Server, whose root is "
        "<process:Server>; enter its limits by hand, on Liberty maxEndpoints of each jmsActivationSpec",
    ),
    (
        _root_with("Server", "shutdown="),
        "this is the server.xml of Tomcat; that of WebSphere Application Server has the root <process:Server>",
    ),
    (
        _root_with("domain", "urn:jboss:", "tmaxsoft"),
        "this is the domain.xml of WildFly, JBoss or JEUS; that of GlassFish has no namespace, the config.xml of "
        "WebLogic one of Oracle or BEA",
    ),
    (
        _root_with("Domain", "ConfigurationVersion"),
        "this is the config.xml of WebLogic 8.1 or older; enter its execute queues and limits by hand",
    ),
    (
        _xmi_without_specs,
        "there is no activation specification in this file of WebSphere; they stand in the resources.xml of their "
        "server, node, cluster or cell, listener ports in server.xml",
    ),
    (
        _roots(*BINDINGS),
        "this file says which activation specification or listener port a bean has; their limits stand in "
        "resources.xml and server.xml",
    ),
    (_resources_without_messages, "there is no connection factory and no destination among these resources"),
    (
        _roots("web-app", "application", "sun-web-app", "glassfish-web-app", "persistence"),
        "this file says nothing about message-driven beans",
    ),
)


def stranger(content: bytes) -> str:
    """Return what a well-known file of another kind is, as a sentence; empty for all others."""
    root, attributes = root_of(content)
    found = (sentence for test, sentence in STRANGERS if test(root, attributes, content))
    return next((f"<{root}>: {sentence}" for sentence in found), "") if root else other_encoding(content)
