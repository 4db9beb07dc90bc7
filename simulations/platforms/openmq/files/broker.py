"""What the broker's side says: config.properties, command lines, and the output of ``imqcmd query dst``."""

import itertools
import re
import shlex
from collections.abc import Iterator, Mapping

from simulations.declarations.parameters import natives_of
from simulations.declarations.tables import table_beside
from simulations.platforms.files.importing.drafts import is_filled_in
from simulations.platforms.files.syntax.text_files import joined, lines_of, load_properties
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.domain_contents import DESTINATION, Imported, limit_of, put_destination
from simulations.platforms.openmq.files.outputs import is_list, read_list
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.platforms.shared.spots import New

TOPIC_LIMIT = "imq.autocreate.topic.consumerFlowLimit"
MADE_TOPIC_LIMIT = "imq.admincreate.topic.sharedConsumerFlowLimit"
OF_TOPICS = {TOPIC_LIMIT: "topic", MADE_TOPIC_LIMIT: "made topic"}
QUEUES_ALONE = ("maxNumActiveConsumers", "maxNumBackupConsumers")
"""What topics do not have."""
OF_QUEUES = (*QUEUES_ALONE, "consumerFlowLimit")
"""What the broker states for queues and topics apart."""
STATED = {
    **{
        f"imq.autocreate.{'queue' if key in OF_QUEUES else 'destination'}.{key}": setting
        for key, setting in DESTINATION.items()
    },
    **natives_of(MdbSettings, "broker"),
    TOPIC_LIMIT: "destination_consumer_flow_limit",
    MADE_TOPIC_LIMIT: "shared_consumer_flow_limit",
}
"""Property of the broker -> the setting of a queue or topic."""
SYSTEM = natives_of(InstanceSettings, "broker")
"""Limits of the broker as a whole."""
LABELS: Mapping[str, str] = table_beside(__file__, "names.yaml")["labels"]
CHANGES = (("create", "dst"), ("update", "dst"), ("destroy", "dst"), ("update", "bkr"))
LONGEST_COMMAND = 10_000
"""Characters; longer lines are no commands that somebody wrote."""
CONTINUED = ("\\", "^")
"""How a line ends that goes on, in a shell and on Windows."""
BROKERD = "imqbrokerd"
"""What starts a broker; its options count before all files."""
TOOLS = re.compile(r"(?:^|/)(?:imqcmd|asadmin|imqbrokerd)(?:\.exe|\.bat)?$")
LAYERS = ("default.properties", "install.properties")
"""Files of the installation, each of which counts before those to its left; a broker's own counts before both."""
MAKES = "create-jmsdest"
"""How asadmin makes a destination."""
_PATH = re.compile(r"\\(?=[\w.])")
"""The backslash of a path on Windows."""
_STREAM = re.compile(r"(?<=\s)\d(?=>)")
"""The number of a stream that is led elsewhere."""
_COLUMNS = re.compile(r"\s{2,}")


def read_text(content: bytes, file: str, found: Imported, account: Account) -> Element:
    """Read a text file of one of the three kinds, told apart by what stands in it; return it as elements."""
    lines = lines_of(content, file)
    whole = ((number, text.rstrip()) for number, text in lines)
    commands = list(joined(whole, lambda text: text.endswith(CONTINUED), " "))
    if any(_command(text) is not None for _, text in commands):
        return _commands(commands, found, account)
    if is_list(content):
        return read_list(lines, found, account)
    if any(text.strip().startswith("Destination Name") for _, text in lines):
        return _query(lines, found, account)
    root = load_properties(content, file)
    account.overrides = lambda other: layer(other) < layer(file)
    for item in root.children:
        if layer(file) < len(LAYERS):
            item.inner = (0, 0)  # nobody edits the files of the installation
        _property(item, found, account)
    if layer(file) == len(LAYERS):
        _room(root, found, account)
    return root


def layer(file: str, content: bytes = b"") -> int:
    """Return what is larger the later a broker reads a file, whose values take the place of those before."""
    name = file.rpartition("/")[2]
    starts = BROKERD.encode() in content and not name.endswith(".properties")
    return LAYERS.index(name) if name in LAYERS else len(LAYERS) + starts


def _room(root: Element, found: Imported, account: Account) -> None:
    """Properties that the file leaves out would be further lines, and change only what the broker creates by itself."""
    for key, setting in STATED.items():
        if any(item.key == key for item in root.children):
            continue
        kind = _kind(key)
        draft = found.common[f"new {kind}" if kind in ("queue", "topic") else kind]
        draft.add(setting, account, root, New(key))
    for key, setting in SYSTEM.items():
        if setting not in found.server.settings:
            found.server.add(setting, account, root, New(key))


def _kind(key: str) -> str:
    """The destinations that a property of the broker says something about."""
    kinds = {"destination": "new", "queue": "queue", "topic": "new topic"}
    return OF_TOPICS.get(key) or kinds.get(key.split(".")[2], "all")


def _property(item: Element, found: Imported, account: Account) -> None:
    setting = STATED.get(item.key) or SYSTEM.get(item.key)
    if setting and item.text:
        draft = found.common[_kind(item.key)] if item.key in STATED else found.server
        draft.put(setting, limit_of(setting, item.text), account, item)


def _command(text: str) -> list[str] | None:
    """The words of a line that makes or changes something, as ``imqcmd`` has them, its subcommand first; else None."""
    if not any(word in text for word in ("imqcmd", MAKES, BROKERD)) or len(text) > LONGEST_COMMAND:
        return None
    try:
        scanned = shlex.shlex(_STREAM.sub("", _PATH.sub("/", text)), posix=True, punctuation_chars=True)
        scanned.whitespace_split = True
        words = list(scanned)
    except ValueError:
        return None
    first = next((i for i, word in enumerate(words) if TOOLS.search(word)), len(words))
    if "echo" in words[:first]:
        return None
    words = list(itertools.takewhile(lambda word: not set(word) <= set("();<>|&"), words[first:]))
    if words and BROKERD in words[0] and "=" not in words[0]:
        return ["update", BROKERD, *(part for word in words if word.startswith("-D") for part in ("-o", word[2:]))]
    if MAKES in words:
        return _as_of_imqcmd(words)
    subcommand = next((pair for pair in itertools.pairwise(words) if pair in CHANGES), None)
    return None if subcommand is None else [*subcommand, *words]


def _as_of_imqcmd(words: list[str]) -> list[str]:
    """The command of asadmin that makes a destination: the name is its last word, attributes begin with a capital."""
    parts = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    given = dict(itertools.pairwise(parts))
    kind = given.get("--desttype", given.get("-T", ""))[:1]
    attributes = filter(None, re.split(r"(?<!\\):", given.get("--property", "")))
    options = (word for item in attributes for word in ("-o", item[0].lower() + item[1:]))
    return ["create", "dst", "-n", words[-1], "-t", kind, *options]


def _commands(lines: list[tuple[int, str]], found: Imported, account: Account) -> Element:
    root = Element("commands", 1, key="commands")
    for number, text in lines:
        words = _command(text)
        line = Element("line", number, key=f"line {number}", text=text.strip())
        if text.strip() and not text.strip().startswith("#"):
            root.children.append(line)
        if words is None:
            continue
        account.in_order = words[0] == "update"
        if words[1] == BROKERD:
            account.overrides = lambda file: True
        if words[1] in ("bkr", BROKERD):
            account.take(line)
            for part in _options(words, line):
                _property(part, found, account)
        else:
            _destination(words, line, found, account)
    return root


def _options(words: list[str], line: Element) -> Iterator[Element]:
    """The attributes that a command sets, as elements below its line, which take the place of its text."""
    line.text = ""
    for word, value in itertools.pairwise(words):
        if word == "-o":
            key, _, text = value.partition("=")
            line.children.append(Element("option", line.line, key=key, text=text))
    yield from line.children


def _destination(words: list[str], line: Element, found: Imported, account: Account) -> None:
    given = {word: value for word, value in itertools.pairwise(words) if word in ("-n", "-t")}
    if "-n" not in given:
        account.note("contradictory", line, "commands", "no destination is named with -n")
        return
    if words[0] == "destroy":
        made = found.destinations.get(given["-n"])
        if made and made.file == account.file:
            account.note("understood", line, made.path, "destroyed: not part of the scenario")
            del found.destinations[given["-n"]]
        return
    draft = found.destination(given["-n"])
    if is_filled_in(given["-n"]):
        account.note("unresolved", line, draft.path, f"the name {given['-n']!r} is filled in by the script")
    if "-t" in given:
        draft.fields["kind"] = "topic" if given["-t"] == "t" else "queue"
    kind = draft.fields.setdefault("kind", "queue")
    draft.file, draft.line = account.file, line.line
    account.note("understood", line, draft.path, f"a {kind}")
    for part in _options(words, line):
        put_destination(draft, part.key, part.text, account, part)


def _query(lines: list[tuple[int, str]], found: Imported, account: Account) -> Element:
    """Tables of two columns; a destination's part begins with its name."""
    root = Element("query", 1, key="query")
    draft = None
    for number, text in lines:
        cells = _COLUMNS.split(text.strip(), maxsplit=1)
        if len(cells) != 2:
            continue
        label, value = cells[0].rstrip(":"), cells[1].strip()
        item = Element("row", number, key=label, text=value)
        root.children.append(item)
        if label == "Destination Name" and value != "Destination Type":
            draft = found.destination(value)
            draft.file, draft.line = account.file, number
            account.note("understood", item, draft.path, "a destination")
        elif draft is not None and label == "Destination Type":
            draft.fields["kind"] = "topic" if value.startswith("Topic") else "queue"
            account.note("understood", item, f"{draft.path}.kind", draft.fields["kind"])
        elif draft is not None and label in LABELS:
            put_destination(draft, LABELS[label], value, account, item)
    return root
