"""XML with line numbers and byte positions: entities, external references, depth and size are refused."""

import re
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler, feature_external_ges, feature_namespaces

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from simulations.declarations.problems import InvalidInput
from simulations.platforms.files.syntax.annotations import annotated_tree
from simulations.platforms.files.syntax.signatures import ANNOTATED, CONVERT, other_encoding, root_of
from simulations.platforms.files.syntax.tree import MAX_DEPTH, MAX_ELEMENTS, Element, check_size, refuse

Name = tuple[str | None, str]
SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
"""Namespace of attributes that say something about the file, not about what it configures."""
_ATTRIBUTE = re.compile(rb"""(?<=\s)([^\s=<>"']++)\s*+=\s*("[^"]*"|'[^']*')""")
_START_TAG = re.compile(rb"""(?:[^"'>]++|"[^"]*+"|'[^']*+')*+>""")
"""A ``>`` inside a quoted attribute does not end a tag."""


def load(content: bytes, file: str) -> Element:
    """Return the root element; raises InvalidInput with file and line for anything but harmless, well-formed XML. A
    document type is read over, as old descriptors carry one, but nothing is fetched and no entity is defined by it."""
    check_size(content, file)
    if other_encoding(content):
        raise refuse(file, 0, other_encoding(content))
    if root_of(content)[1] == ANNOTATED:
        return annotated_tree(content, file)
    parser = DefusedExpatParser(forbid_dtd=False, forbid_entities=True, forbid_external=False)
    builder = _Builder(parser, content, file)
    parser.setFeature(feature_namespaces, 1)
    parser.setFeature(feature_external_ges, 0)
    parser.setContentHandler(builder)
    try:
        parser.feed(content)
        parser.close()
    except InvalidInput:
        raise
    except DefusedXmlException as error:
        raise refuse(file, parser.getLineNumber() or 0, "entities are not allowed in an uploaded file") from error
    except SAXParseException as error:
        raise refuse(file, error.getLineNumber() or 0, f"the file is no XML: {error.getMessage()}") from error
    except (SAXException, LookupError, ValueError) as error:
        several = "multi-byte" in str(error)
        message = f"its encoding takes several bytes a letter; {CONVERT}" if several else f"the file is no XML: {error}"
        raise refuse(file, parser.getLineNumber() or 0, message) from error
    return builder.root


class _Builder(ContentHandler):
    """Builds the tree; the positions of tags are found from where the parser says they begin."""

    def __init__(self, parser: DefusedExpatParser, content: bytes, file: str) -> None:
        super().__init__()
        self.root = Element("", 0)
        self._parser, self._content, self._file = parser, content, file
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._count = 0

    def startElementNS(self, name: Name, qname: str | None, attrs: Any) -> None:
        self._count += 1
        line = self._parser.getLineNumber() or 0
        if len(self._open) >= MAX_DEPTH:
            raise refuse(self._file, line, f"nested deeper than {MAX_DEPTH} levels")
        if self._count > MAX_ELEMENTS:
            raise refuse(self._file, line, f"more than {MAX_ELEMENTS} elements")
        start = self._position()
        attributes = {key[1]: value for key, value in attrs.items() if key[0] != SCHEMA}
        element = Element(name[1], line, attributes=attributes, span=(start, start))
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        self._texts.append([])

    def _position(self) -> int:
        """Offset of the current tag in bytes."""
        return int(self._parser._parser.CurrentByteIndex)  # type: ignore[attr-defined]

    def characters(self, content: str) -> None:
        if self._texts:
            self._texts[-1].append(content)

    def endElementNS(self, name: Name, qname: str | None) -> None:
        element = self._open.pop()
        element.text = "".join(self._texts.pop()).strip()
        start, here = element.span[0], self._position()
        tag = _START_TAG.match(self._content, start)
        opening = tag.end() if tag else len(self._content)
        if element.attributes:
            element.values = {
                item[1].decode(errors="replace").rpartition(":")[2]: item.span(2)
                for item in _ATTRIBUTE.finditer(self._content, start, opening)
            }
        if self._content[opening - 2 : opening] == b"/>":
            element.span, element.inner = (start, opening), (opening, opening)
        else:
            element.span = (start, self._content.find(b">", here) + 1)
            element.inner = (opening, here)
