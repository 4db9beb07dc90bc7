"""A machine with the vendors' commands: they keep their values in a file, and one call of them may fail."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from simulations.platforms.openmq.files.broker import LABELS

MANNERS = ("refused", "done", "ignored", "ended")
"""How a call fails: nothing done and an error; done and an error; nothing done and no error; the script is ended."""
COMMAND = f"""#!{sys.executable} -SE
import json, os, re, signal, sys
tool, words = os.path.basename(sys.argv[0]), sys.argv[1:]
place = os.environ["STATE"]
state = json.load(open(place))
state["calls"] += 1
manner = state["manner"] if state["calls"] == state["fail_at"] else ""
known = True
if tool == "imqcmd":
    assert words[6 if words[0] == "query" else 8:] == ["-b", "host:7676", "-u", "admin", "-passfile", "pass", "-f"]
    held = state.get(words[3] + ":" + words[5])
    known = held is not None
    text = "Destination Name    " + words[5] + "\\n"
    for label, key in ({LABELS!r}.items() if known else ()):
        if key in held:
            text += label + "    " + ("unlimited (-1)" if held[key] == "-1" else held[key]) + "\\n"
    pair = words[7] if words[0] == "update" else ""
elif tool == "asadmin":
    held, name = state["asadmin"], re.sub(r"\\\\(.)", r"\\1", words[1].split("=")[0])
    asked = [key for key in held if key == name or name[-2:] == ".*" and key.startswith(name[:-1])]
    known, text = bool(asked), "".join(key + "=" + held[key] + "\\n" for key in asked)
    pair = name + "=" + words[1].partition("=")[2] if words[0] == "set" else ""
    owners = [key[:-4] for key in held if key.endswith(".name")]
    known = known or bool(pair) and ".property." in name and name.startswith(tuple(owners))
else:
    line = sys.stdin.read()
    name, key, value = re.search(r"QLOCAL\\('(.*)'\\) (\\w+)(?:\\((\\d+)\\))?$", line.strip()).groups()
    held = state.get(name.replace("''", "'"))
    known = held is not None and words == ["QM1"]
    text = "   QUEUE(" + name + ")\\n   " + key + "(" + held[key] + ")\\n" if known else "AMQ8147E"
    pair = key + "=" + value if line.startswith("ALTER") else ""
if pair and known and manner in ("", "done", "ended"):
    key, _, value = pair.partition("=")
    held[key] = value
    if not value:
        del held[key]
    if tool == "imqcmd":
        state.setdefault("commands", []).append(" ".join([tool, *words]))
with open(place, "w") as file:
    json.dump(state, file)
if not pair and known and manner not in ("refused", "ignored"):
    print(text, end="", flush=True)
if manner == "ended":
    os.kill(os.getsid(0), signal.SIGTERM)
sys.exit(0 if known and manner not in ("refused", "done") else 1)
"""


class Host:
    """A machine with the commands; ``state`` is what they hold, ``commands`` what imqcmd was last told to change."""

    def __init__(self, folder: Path, state: dict[str, Any]) -> None:
        self.folder, self.file, self.state = folder, folder / "state.json", state
        for tool in ("imqcmd", "asadmin", "runmqsc"):
            (folder / tool).write_text(COMMAND)
            (folder / tool).chmod(0o755)
        self.commands, self.calls = "", 0

    def run(self, text: str, head: dict[str, str], *, fail_at: int = 0, manner: str = "refused") -> tuple[int, str]:
        """Run the script with variables at its head set; return the exit code and what it prints."""
        for name, value in head.items():
            text = re.sub(rf"^{name}=0?  #", f"{name}={value}  #", text, count=1, flags=re.MULTILINE)
        told = {"calls": 0, "fail_at": fail_at, "manner": manner}
        self.file.write_text(json.dumps({**self.state, **told}))
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "STATE": str(self.file)}
        done = subprocess.run(
            ["/bin/sh", "-c", text],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
        )
        state = json.loads(self.file.read_text())
        self.commands, self.calls = "\n".join(state.get("commands", ())), state["calls"]
        self.state = {key: value for key, value in state.items() if key not in (*told, "commands")}
        return done.returncode, done.stdout + done.stderr
