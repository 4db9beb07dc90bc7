"""One setting spelled into one file of any kind: values that stand there are replaced, what is missing is added."""

from xml.sax.saxutils import escape

from simulations.platforms.files.patching.patched_files import encoding_in, is_xml
from simulations.platforms.files.syntax.insertion import QUOTES, Order, xml_splice
from simulations.platforms.files.syntax.signatures import is_yaml
from simulations.platforms.files.syntax.splices import Splice, spliced
from simulations.platforms.files.syntax.text_file import escaped, property_splice
from simulations.platforms.files.syntax.xml_file import load as load_xml
from simulations.platforms.files.syntax.yaml_file import load_tree
from simulations.platforms.files.syntax.yaml_insertion import yaml_replaced, yaml_splice
from simulations.platforms.shared.spots import Place, Spot


def spelled(content: bytes, file: str, spot: Spot, text: str, order: Order) -> bytes:
    """Return the file with ``text`` wherever the spot names it; raises InvalidInput where that cannot be."""
    places = [place for place in spot.places if place.file == file]
    additions = [addition for addition in spot.additions if addition.file == file]
    if is_xml(content):
        root = load_xml(content, file)
        splices = [_in_xml(content, place, text) for place in places]
        splices += [xml_splice(content, root, item, text, order) for item in additions]
    elif is_yaml(file):
        root = load_tree(content, file)
        splices = [yaml_replaced(content, place, text) for place in places]
        splices += [yaml_splice(content, root, item, text) for item in additions]
    else:
        splices = [Splice(place.start, place.end, escaped(text)) for place in places]
        splices += [property_splice(content, item, text) for item in additions]
    return spliced(content, splices, encoding_in(content, file))


def _in_xml(content: bytes, place: Place, text: str) -> Splice:
    """The splice that keeps the blanks and quotes around the old text."""
    old = content[place.start : place.end]
    if old[:1] in (b'"', b"'"):
        return Splice(place.start + 1, place.end - 1, escape(text, QUOTES))
    start = place.start + len(old) - len(old.lstrip())
    return Splice(start, start + len(old.strip()), escape(text))
