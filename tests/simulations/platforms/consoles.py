"""Enough of the vendors' consoles to run the written scripts: WLST and wsadmin over configuration objects in memory.

The real ones come with the products and cannot be installed here.
"""

import copy
import re
import sys
from collections.abc import Callable, Sequence
from itertools import count
from types import FrameType
from typing import Any, ClassVar

from simulations.platforms.shared.family import Script

REFERENCES = (
    "Quota",
    "ErrorDestination",
    "MinThreadsConstraint",
    "MaxThreadsConstraint",
    "Capacity",
    "FairShareRequestClass",
    "ResponseTimeRequestClass",
)
"""Attributes whose value is another bean; unset they are None."""
MANY = ("Queue", "Topic", "UniformDistributedQueue", "UniformDistributedTopic")
"""Kinds of which a module gives all."""

BOOLEANS = ("FlowControlEnabled", "Use81StyleExecuteQueues")
"""Attributes that are asked for with ``is``."""


class Stopped(Exception):
    """The script ended with an exit code other than 0; it says what the script printed."""


class Injected(Exception):
    """The failure of a statement."""


def executed(script: str, words: dict[str, Any], *, apply: bool, anyway: bool, fail_at: int) -> str:
    """Run a script with the variables at its head set, and return what it prints; raises Stopped.

    ``fail_at``: the number of the executed line, from 1, that raises Injected; 0 = none.
    """
    printed: list[str] = []
    for name, wanted in (("APPLY", apply), ("ANYWAY", anyway)):
        assert script.count(f"\n{name} = 0  #") == 1
        script = script.replace(f"\n{name} = 0", f"\n{name} = {int(wanted)}")
    lines = count(1)

    def traced(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "apply.py":
            return None
        if event == "line" and next(lines) == fail_at:
            raise Injected(f"line {frame.f_lineno}")
        return traced

    code = compile(script, "apply.py", "exec")
    before = sys.gettrace()
    if fail_at:
        sys.settrace(traced)
    try:
        exec(code, {**words, "print": printed.append})  # noqa: S102 - what we just wrote
    except SystemExit as end:
        assert end.code == 1
        raise Stopped("\n".join(printed)) from None
    finally:
        sys.settrace(before)
    return "\n".join(printed)


class Bean:
    """A configuration bean of WebLogic: ``getX``, ``setX``, ``lookupX``, ``createX`` and ``destroyX`` for any X."""

    def __init__(self, kind: str, name: str = "") -> None:
        self.kind, self.name = kind, name
        self.values: dict[str, Any] = {}
        self.held: dict[tuple[str, str], Bean] = {}
        self.targets: list[Bean] = []

    def __getattr__(self, word: str) -> Callable[..., Any]:
        for verb, act in (("lookup", self._lookup), ("create", self._create), ("destroy", self._destroy)):
            if word.startswith(verb):
                return lambda argument: act(word.removeprefix(verb), argument)
        if word.startswith("set"):
            return lambda value: self._set(word[3:], value)
        if word.startswith("get") and word[3:] not in BOOLEANS:
            return lambda: self._got(word[3:])
        if word.startswith("is") and word[2:] in BOOLEANS:
            return lambda: self._got(word[2:])
        raise AttributeError(word)

    def addTarget(self, target: "Bean") -> None:
        """Deploy the object to a server or cluster."""
        assert target.kind in ("Server", "Cluster"), "only what exists can be a target"
        self.targets.append(target)

    def snapshot(self) -> dict[str, Any]:
        """All values below the bean, with references by name; beans without any are left out."""
        values = {key: value.name if isinstance(value, Bean) else value for key, value in self.values.items()}
        found = {".".join(key): bean.snapshot() for key, bean in self.held.items()}
        targets = {"targets": [target.name for target in self.targets]} if self.targets else {}
        return {**values, **targets, **{key: value for key, value in found.items() if value}}

    def _lookup(self, kind: str, name: str) -> "Bean | None":
        return self.held.get((kind, name))

    def _create(self, kind: str, name: str) -> "Bean":
        assert (kind, name) not in self.held, f"{kind} {name} exists"
        return self.held.setdefault((kind, name), Bean(kind, name))

    def _destroy(self, kind: str, bean: "Bean") -> None:
        del self.held[kind, bean.name]

    def _set(self, word: str, value: Any) -> None:
        self.values[word] = value
        if word in REFERENCES and value is None:
            del self.values[word]

    def _got(self, word: str) -> Any:
        if word in REFERENCES:
            return self.values.get(word)
        if word.endswith("s") and word[:-1] in MANY:
            return [bean for (kind, _), bean in self.held.items() if kind == word[:-1]]
        return self.values[word] if word in self.values else self._part(word)

    def getName(self) -> str:
        """The bean's name."""
        return self.name

    def _part(self, kind: str) -> "Bean":
        return self.held.setdefault((kind, ""), Bean(kind))


class Wlst:
    """A domain with servers and one JMS module; ``run`` executes a script in a console.

    The lock is held from startEdit to activate or cancelEdit; only then may the configuration differ from the one
    that is active.
    """

    def __init__(self, *, servers: Sequence[str], destinations: Sequence[str], kind: str = "Queue") -> None:
        self.domain = Bean("Domain")
        for name in servers:
            self.domain._create("Server", name)
        self.domain.values["JMSSystemResources"] = []
        self.add_module("module", destinations, kind)
        self.editor: str | None = None
        self._active = copy.deepcopy(self.domain)

    def add_module(self, name: str, destinations: Sequence[str], kind: str = "Queue") -> None:
        """Add a JMS module with destinations of this kind and their connection factories."""
        module = Bean("JMSResource")
        for item in destinations:
            module._create(kind, item)
            module._create("ConnectionFactory", f"{item}-factory")
        system = Bean("JMSSystemResource", name)
        system.values["JMSResource"] = module
        self.domain.values["JMSSystemResources"].append(system)

    @property
    def module(self) -> Bean:
        """The first JMS module."""
        module: Bean = self.domain.values["JMSSystemResources"][0].values["JMSResource"]
        return module

    def run(self, script: str, *, apply: bool = True, anyway: bool = False, fail_at: int = 0) -> str:
        """Execute the script, with the names of factories filled in, and return what it prints."""
        script = re.sub(r"('factory of (.+)': )''", r"\1'\2-factory'", script)
        self._active = copy.deepcopy(self.domain)
        steps = (self.startEdit, self.undo, self.cancelEdit, self.activate, self.exit)
        words: dict[str, Any] = {step.__name__: step for step in steps}
        words |= {name: lambda: None for name in ("connect", "edit", "save")}
        words |= {"cmo": self.domain, "getConfigManager": lambda: self}
        try:
            return executed(script, words, apply=apply, anyway=anyway, fail_at=fail_at)
        finally:
            assert self.editor in (None, "somebody"), "the lock is left"
            assert _of(self.domain) == _of(self._active), "changes wait to be activated"

    def startEdit(self, wait: int, timeout: int, exclusive: str) -> None:
        """Take the lock."""
        assert _of(self.domain) == _of(self._active), "something is changed without the lock"
        assert self.editor is None
        self.editor = "script"

    def activate(self) -> None:
        """Make the changes count and give the lock back."""
        assert self.isEditor()
        self._active, self.editor = copy.deepcopy(self.domain), None

    def undo(self, unactivated: str, answer: str) -> None:
        """Take back what is not active."""
        assert self.isEditor()
        assert (unactivated, answer) == ("true", "y")
        self.domain.__dict__.update(copy.deepcopy(self._active).__dict__)

    def cancelEdit(self, answer: str) -> None:
        """Give the lock back."""
        assert self.isEditor()
        assert answer == "y", "a question would wait for an answer"
        self.editor = None

    def exit(self, answer: str, code: int) -> None:
        """End the console."""
        raise SystemExit(code)

    def isEditor(self) -> bool:
        """Whether the script has the lock."""
        return self.editor == "script"

    def getCurrentEditor(self) -> str | None:
        """Who has the lock."""
        return self.editor

    def getUnactivatedChanges(self) -> list[str]:
        """What somebody saved and did not activate."""
        return []

    def snapshot(self) -> dict[str, Any]:
        """The configuration of the domain and of its first JMS module."""
        return _of(self.domain)


def _of(domain: Bean) -> dict[str, Any]:
    modules = {item.name: item.values["JMSResource"].snapshot() for item in domain.values["JMSSystemResources"]}
    return {**domain.snapshot(), "JMSSystemResources": None, **modules}


class Wsadmin:
    """``AdminConfig`` over objects in memory: each has a kind, attributes and a parent."""

    def __init__(self) -> None:
        self.place = "cells/cell"
        self.kinds: dict[str, str] = {}
        self.parents: dict[str, str] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.saves = 0
        self._numbers = count(1)
        self._saved = self._state()

    def add(self, kind: str, parent: str = "", **attributes: str) -> str:
        """Add an object and return its id."""
        place = self.place if not parent else parent.partition("(")[2].partition("|")[0]
        key = f"{attributes.get('name', '')}({place}|server.xml#{kind}_{next(self._numbers)})"
        self.kinds[key], self.parents[key], self.attributes[key] = kind, parent, attributes
        return key

    def server(self, name: str, *ports: str, node: str = "node") -> None:
        """Add a server with everything that the scripts change."""
        self.place = f"cells/cell/nodes/{node}/servers/{name}"
        server = self.add("Server", name=name)
        for kind in ("ServerInstance", "TransactionService", "VariableMap"):
            self.add(kind, server)
        self.add("ThreadPool", server, name="WebContainer")
        self.add("ThreadPool", server, name="WMQJCAResourceAdapter")
        service = self.add("MessageListenerService", server)
        self.add("ThreadPool", service, name="Message.Listener.Pool")
        for port in ports:
            self.add("ListenerPort", service, name=port, destinationJNDIName=f"jms/{port}")

    def run(self, script: str, *, apply: bool = True, anyway: bool = False, fail_at: int = 0) -> str:
        """Execute the script and return what it prints; what it does not save is lost."""
        self._saved, self.saves = self._state(), 0
        words = {"AdminConfig": self, "AdminTask": AdminTask(self)}
        try:
            printed = executed(script, words, apply=apply, anyway=anyway, fail_at=fail_at)
            assert self.saves == int(apply)
            return printed
        finally:
            assert self._state() == self._saved, "changes are left in the session"

    def _state(self) -> tuple[dict[str, str], dict[str, str], dict[str, dict[str, str]]]:
        return copy.deepcopy((self.kinds, self.parents, self.attributes))

    def hasChanges(self) -> int:
        """Whether the session holds what is not saved."""
        return int(self._state() != self._saved)

    def reset(self) -> None:
        """Forget what is not saved."""
        self.kinds, self.parents, self.attributes = copy.deepcopy(self._saved)

    def snapshot(self) -> dict[str, dict[str, str]]:
        """Attributes of every object that has any besides its name."""
        named = {"name", "destinationJNDIName"}
        return {key: dict(values) for key, values in self.attributes.items() if set(values) - named}

    def getid(self, path: str) -> str:
        """Ids at a containment path such as ``/Server:server1/``, one per line."""
        kind, _, name = path.strip("/").partition(":")
        return "\n".join(
            key for key, held in self.kinds.items() if held == kind and self.attributes[key]["name"] == name
        )

    def list(self, kind: str, scope: str = "") -> str:
        """Ids of this kind below the scope, or all of them, one per line."""
        found = (key for key, held in self.kinds.items() if held == kind)
        return "\n".join(key for key in found if not scope or self._below(key, scope))

    def remove(self, key: str) -> None:
        """Take an object away."""
        for table in (self.kinds, self.parents, self.attributes):
            del table[key]

    def showAttribute(self, key: str, name: str) -> str:
        """The attribute's text."""
        return self.attributes[key].get(name, "")

    def modify(self, key: str, pairs: Sequence[tuple[str, str]]) -> None:
        """Change attributes."""
        self.attributes[key].update(dict(pairs))

    def create(self, kind: str, parent: str, pairs: Sequence[tuple[str, str]], attribute: str = "") -> str:
        """Make an object below the parent."""
        assert parent in self.kinds
        return self.add(kind, parent, **dict(pairs))

    def save(self) -> None:
        """Store the workspace."""
        self._saved, self.saves = self._state(), self.saves + 1

    def _below(self, key: str, scope: str) -> bool:
        while key and key != scope:
            key = self.parents[key]
        return bool(key)


def all_or_nothing(console: Wlst | Wsadmin, script: Script) -> None:
    """Let each statement of a script fail once: the console then holds all of its changes or none."""
    before = console.snapshot()
    console.run(script.apply)
    after = console.snapshot()
    console.run(script.undo)
    outcomes: list[tuple[bool, bool]] = []
    for line in count(1):
        try:
            console.run(script.apply, fail_at=line)
        except (Stopped, Injected) as error:
            outcomes.append((console.snapshot() == after, "FAILED: line" in str(error)))
        else:
            break
        assert console.snapshot() in (before, after)
        if outcomes[-1][0]:
            console.run(script.undo)
    assert set(outcomes) == {(False, False), (False, True), (True, False)}, "in the plan, in the session, behind it"
    assert len(outcomes) > 300
    assert console.snapshot() == after


class AdminTask:
    """The commands for activation specifications, with the flags that the vendor's reference lists."""

    WMQ: ClassVar = {
        "-name": "",
        "-jndiName": "",
        "-destinationJndiName": "",
        "-destinationType": r"javax\.jms\.(Queue|Topic)",
        "-maxPoolSize": r"[1-9]\d*",
        "-poolTimeout": r"\d+",
        "-startTimeout": r"\d+",
        "-stopEndpointIfDeliveryFails": "true|false",
        "-failureDeliveryCount": r"\d+",
        "-customProperties": r"\[\[\w+ [\d.e+-]+\]\]",
    }
    SIB: ClassVar = {"-maxConcurrency": r"[1-9]\d*"}

    def __init__(self, configuration: Wsadmin) -> None:
        self._config = configuration

    def createWMQActivationSpec(self, scope: str, words: Sequence[str]) -> str:
        """Make one at the scope; what identifies it must be given."""
        given = _flags(words, self.WMQ)
        assert {"-name", "-jndiName", "-destinationJndiName", "-destinationType"} <= set(given)
        assert self._config.kinds[scope] == "Server"
        assert given["-name"] not in self._names(), "an activation specification has this name"
        return self._config.add("J2CActivationSpec", scope, name=given.pop("-name"), **given)

    def modifyWMQActivationSpec(self, spec: str, words: Sequence[str]) -> None:
        """Change what the flags say."""
        self._modify(spec, _flags(words, self.WMQ))

    def showWMQActivationSpec(self, spec: str) -> str:
        """What it says."""
        said = self._config.attributes[spec].items()
        return "{" + ", ".join(f"{key.lstrip('-')}={value}" for key, value in said) + "}"

    showSIBJMSActivationSpec = showWMQActivationSpec

    def modifySIBJMSActivationSpec(self, spec: str, words: Sequence[str]) -> None:
        """Change what the flags say."""
        self._modify(spec, _flags(words, self.SIB))

    def _modify(self, spec: str, given: dict[str, str]) -> None:
        assert self._config.kinds[spec] == "J2CActivationSpec"
        pairs = given.pop("-customProperties", "")
        if pairs:
            key, value = pairs.strip("[]").split()
            given[key] = value
        self._config.attributes[spec].update(given)

    def _names(self) -> set[str]:
        found = self._config.list("J2CActivationSpec").splitlines()
        return {self._config.showAttribute(key, "name") for key in found}


def _flags(words: Sequence[str], grammar: dict[str, str]) -> dict[str, str]:
    """Flag -> value; a flag that the command does not have, or a value it does not take, is a mistake."""
    given = dict(zip(words[::2], words[1::2], strict=True))
    for flag, value in given.items():
        assert flag in grammar, flag
        assert value and re.fullmatch(grammar[flag] or ".+", value), (flag, value)
    return given
