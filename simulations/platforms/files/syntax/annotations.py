"""Java sources: the message-driven beans that ``@MessageDriven`` declares, as an ejb-jar.xml would have them."""

import json
import re
from itertools import pairwise

from simulations.platforms.files.syntax.signatures import ANNOTATED, BEAN
from simulations.platforms.files.syntax.text_files import lines_of
from simulations.platforms.files.syntax.tree import Element, refuse

_BEAN = re.compile(BEAN.pattern.decode(), re.MULTILINE)
_TEXT = r'"(?:[^"\\\n]|\\.)*+"'
_COMMENT = re.compile(rf"({_TEXT}|'(?:[^'\\\n]|\\.)++')|//[^\n]*+|/\*.*?\*/", re.DOTALL)
_CLASS = re.compile(r"\bclass\s+(\w+)")
_NAME = re.compile(rf"\b(name|mappedName)\s*=\s*({_TEXT})")
_PROPERTY = re.compile(rf"@(?:\w+\.)*ActivationConfigProperty\s*\(((?:{_TEXT}|[^\")])*+)\)")
_PART = re.compile(rf"\b(propertyName|propertyValue)\s*=\s*((?:{_TEXT}|[^\",])*+)")
_OWN_TRANSACTIONS = re.compile(r"@(?:\w+\.)*TransactionManagement\s*\([^)]*\bBEAN\b")
_TRANSACTION = re.compile(
    r"@(?:\w+\.)*TransactionAttribute\s*\([\w.\s=]*\b(NOT_SUPPORTED|REQUIRED)\b[^;]{0,2000}?\b(?:class|onMessage)\b"
)


def annotated_tree(content: bytes, file: str) -> Element:
    """Return the root of an ejb-jar.xml with the beans of a Java source; raises InvalidInput for one without a name. A
    value that is no plain text, such as a constant, is written as one that another tool fills in."""
    text = "\n".join(line for _, line in lines_of(content, file))
    text = _COMMENT.sub(lambda found: found[1] or "\n" * found[0].count("\n"), text)
    starts = [found.end() for found in _BEAN.finditer(text)]
    if not starts:
        raise refuse(file, 1, "every bean in it is commented out")
    beans = [_bean(text, start, end, file) for start, end in pairwise([*starts, len(text)])]
    if len(beans) == 1 and _OWN_TRANSACTIONS.search(text):
        beans[0].children.append(Element("transaction-type", beans[0].line, text="Bean"))
    for found in _TRANSACTION.finditer(text) if len(beans) == 1 else ():
        attribute, line = found[1].title().replace("_", ""), text.count("\n", 0, found.start()) + 1
        beans[0].children.insert(0, Element("trans-attribute", line, text=attribute))
    return Element("ejb-jar", 1, key=ANNOTATED, children=[Element("enterprise-beans", 1, children=beans)])


def _bean(text: str, start: int, end: int, file: str) -> Element:
    """The bean whose annotation ends its name at ``start``; the next one begins at ``end``."""
    declared = _CLASS.search(text, start, end)
    head, line = text[start : declared.start() if declared else end], text.count("\n", 0, start) + 1
    names = {"name": declared[1] if declared else "", **{key: _literal(name) for key, name in _NAME.findall(head)}}
    if not names["name"]:
        raise refuse(file, line, "the bean has no name; add the line with its class, or name = to its annotation")
    config = Element("activation-config", line)
    for found in _PROPERTY.finditer(head):
        parts = {key: _literal(value.strip()) for key, value in _PART.findall(found[1])}
        if len(parts) == 2:
            here = line + head.count("\n", 0, found.start())
            config.children.append(_property(parts["propertyName"], parts["propertyValue"], here))
    known = {item.key.lower() for item in config.children}
    if "mappedName" in names and not known & {"destination", "destinationlookup"}:
        config.children.append(_property("destinationLookup", names["mappedName"], line))
    return Element("message-driven", line, children=[Element("ejb-name", line, text=names["name"]), config])


def _property(name: str, value: str, line: int) -> Element:
    texts = {"activation-config-property-name": name, "activation-config-property-value": value}
    children = [Element(key, line, text=text) for key, text in texts.items()]
    return Element("activation-config-property", line, key=name, children=children)


def _literal(text: str) -> str:
    """What a text in quotes says; of anything else a placeholder."""
    try:
        return str(json.loads(text)) if text.startswith('"') else f"${{{text}}}"
    except ValueError:
        return f"${{{text}}}"
