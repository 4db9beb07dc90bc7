"""What the scripts call destinations, configurations and connection pools: variables at their head."""

from shlex import quote

from simulations.declarations.identity import UNKNOWN
from simulations.declarations.system import Queue, Server, System


class Names:
    """The variables and their values; one without a value is to be filled in, and stops the script until it is."""

    def __init__(self, system: System) -> None:
        self.values: dict[str, str] = {}
        self._variables: dict[tuple[str, str], str] = {}
        for server in system.servers:
            identity = server.identity or UNKNOWN
            self._add("CONFIG", server.name, identity.name if identity.kind == "config" else "")
        for queue in system.queues:
            self._add("POOL", queue.name, (queue.identity or UNKNOWN).part("factory").name)
            self._add("DESTINATION", queue.name, queue.name if queue.identity is None else queue.identity.name)

    def config(self, server: Server) -> str:
        """Return the server's configuration, with the variable of its name, as one word of the shell."""
        return f'"configs.config.$(dotted "${self._variables["CONFIG", server.name]}")"'

    def pool(self, queue: Queue) -> str:
        """Return the variable with the name of the connection pool of the queue's factory."""
        return self._variables["POOL", queue.name]

    def destination(self, queue: Queue) -> str:
        """Return kind and the broker's name of the queue as one word of the shell."""
        kind, variable = "t" if queue.kind == "topic" else "q", self._variables["DESTINATION", queue.name]
        name = self.values[variable]
        return quote(f"{kind}:{name}") if name else f'"{kind}:${variable}"'

    def _add(self, kind: str, owner: str, name: str) -> None:
        """Note a name; those that are known to be the same have one variable."""
        known = {self.values[variable]: variable for (what, _), variable in self._variables.items() if what == kind}
        number = sum(what == kind for what, _ in self._variables)
        variable = known.get(name, "") if name else ""
        self._variables[kind, owner] = variable or f"{kind}{number or ''}"
        self.values[self._variables[kind, owner]] = name
