"""Files as they were and as they became: kind and encoding of each, and the script that hands both out."""

from collections.abc import Mapping

from simulations.platforms.files.syntax.splices import BOM, Splice, encoding_of, newline_of, spliced
from simulations.platforms.files.syntax.xml_file import load
from simulations.platforms.shared.family import Patched, Script


def is_xml(content: bytes) -> bool:
    """Whether a file is XML, by its first character."""
    return content.lstrip(BOM + b" \t\r\n").startswith(b"<")


def encoding_in(content: bytes, file: str) -> str:
    """Return the encoding of a file; Java's properties are Latin-1 where they are no UTF-8."""
    if is_xml(content):
        return encoding_of(content, file)
    try:
        content.decode()
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def patched_files(
    before: Mapping[str, bytes], after: Mapping[str, bytes], refused: Mapping[str, str], scenario_hash: str
) -> Patched:
    """Return the files that differ, each with a comment that names the hash, and with the file as it was as undo."""
    scripts = [
        _script(file, content, after[file], tuple(refused), scenario_hash)
        for file, content in before.items()
        if after[file] != content
    ]
    return Patched(tuple(scripts), refused)


def _script(file: str, old: bytes, new: bytes, left_out: tuple[str, ...], scenario_hash: str) -> Script:
    encoding, newline = encoding_in(old, file), newline_of(old)
    note = f"Patched by Sluice for the scenario {scenario_hash}"
    if is_xml(new):
        start, note = load(new, file).inner[0], f"{newline}<!-- {note} -->"
    else:
        start, note = len(new) - len(new.removeprefix(BOM)), f"# {note}{newline}"
    new = spliced(new, [Splice(start, start, note)], encoding)
    return Script("xml", file, new.decode(encoding), old.decode(encoding), left_out, encoding)
