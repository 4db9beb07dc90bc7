"""Requests to addresses that people name: to public machines only, never to others that this one can reach.

A name is resolved once, every address that it has is checked, and the connection goes to one that was checked: a name
that changes in between leads nowhere else. Redirects are answers, proxies of the environment are not used.
"""

import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from urllib.parse import SplitResult, urlsplit

SECONDS = 10.0
"""For the whole exchange: name, connection, request and answer."""
MOST_ANSWER = 4096
"""Bytes of an answer that are read; its status is all that counts."""
PORTS = {"https": 443, "http": 80}
NAT64 = ip_network("64:ff9b::/96")
Address = IPv4Address | IPv6Address


class Refused(Exception):
    """The address is none that may be called; the text says why and what to do."""


class Unreachable(Exception):
    """Nobody answered as HTTP within the time; the text says what happened."""


@dataclass(frozen=True)
class Policy:
    """``networks`` are allowed although they are not public; ``loopback`` allows plain http to this machine."""

    networks: Sequence[str] = ()
    loopback: bool = False


def checked_url(url: str, policy: Policy) -> SplitResult:
    """Return the parts of a URL that may be called as far as its text tells; raises Refused."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused("this is no URL; write https://host/path") from None
    if not parts.hostname or not url.isascii() or any(letter.isspace() or not letter.isprintable() for letter in url):
        raise Refused("this is no URL; write https://host/path in ASCII letters")
    if parts.scheme != "https" and not (parts.scheme == "http" and policy.loopback):
        raise Refused("only https:// addresses are called")
    if parts.username is not None or parts.password is not None:
        raise Refused("leave out user and password: deliveries are signed instead")
    if port == 0:
        raise Refused("port 0 does not exist")
    return parts


def checked_addresses(parts: SplitResult, policy: Policy) -> list[str]:
    """Return what the host resolves to; raises Refused unless every address may be called, Unreachable without any."""
    host = str(parts.hostname)
    try:
        infos = socket.getaddrinfo(host, parts.port or PORTS[parts.scheme], type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(f"the name {host} has no address") from None
    addresses = list(dict.fromkeys(str(item[4][0]).partition("%")[0] for item in infos))
    for address in addresses:
        _check(ip_address(address), parts.scheme, host, policy)
    return addresses


def post(url: str, content: bytes, headers: Mapping[str, str], policy: Policy, *, seconds: float = SECONDS) -> int:
    """Send ``content`` and return the status of the answer; raises Refused, Unreachable."""
    parts = checked_url(url, policy)
    connection = _Pinned(parts, checked_addresses(parts, policy), seconds)
    # Limits of single reads do not end an answer that drips.
    end = Timer(seconds, connection.abort)
    end.daemon = True
    end.start()
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, content, dict(headers))
        answer = connection.getresponse()
        answer.read(MOST_ANSWER)
        if connection.aborted:
            raise TimeoutError  # what was cut off may look like a short answer
        return answer.status
    except (OSError, HTTPException, ValueError) as error:
        late = f" within {seconds:g} s" if connection.aborted else ""
        raise Unreachable(f"no answer{late}: {type(error).__name__}") from error
    finally:
        end.cancel()
        connection.close()


def _check(address: Address, scheme: str, host: str, policy: Policy) -> None:
    real = _embedded(address)
    if any(candidate in ip_network(network) for network in policy.networks for candidate in {address, real}):
        if scheme == "https":
            return
    elif scheme == "https" and all(candidate.is_global and not candidate.is_multicast for candidate in {address, real}):
        return
    if policy.loopback and real.is_loopback:
        return
    reason = "plain http goes to this machine only" if scheme == "http" else "that is no public address"
    raise Refused(f"{host} leads to {address}: {reason}; WEBHOOK_NETWORKS can allow networks for https")


def _embedded(address: Address) -> Address:
    """The IPv4 address inside an IPv6 one that only carries it."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


class _Pinned(HTTPConnection):
    """Connects to addresses that were checked, and proves by TLS that it is the host that was meant."""

    def __init__(self, parts: SplitResult, addresses: Sequence[str], seconds: float) -> None:
        super().__init__(str(parts.hostname), parts.port or PORTS[parts.scheme], timeout=seconds)
        self._addresses = addresses
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self.aborted = False
        self._socket: socket.socket | None = None
        self.default_port = PORTS[parts.scheme]  # so that the Host header names no default port

    def connect(self) -> None:
        """Connect to the first address that takes the connection."""
        for place, address in enumerate(self._addresses):
            try:
                self._socket = self.sock = socket.create_connection((address, self.port), self.timeout)
                break
            except OSError:
                if place + 1 == len(self._addresses):
                    raise
        if self._context:
            self._socket = self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)

    def abort(self) -> None:
        """End whatever goes on. The connection forgets its socket while an answer is read, so it is kept here."""
        self.aborted = True
        if self._socket:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
