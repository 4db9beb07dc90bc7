"""The variables of the environment, typed and checked before anything starts."""

import os
import secrets
from contextlib import suppress
from functools import cached_property, partial
from ipaddress import ip_address, ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Literal, Self
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured
from pydantic import AfterValidator, BeforeValidator, Field, FilePath, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from simulations.declarations.problems import worded

BASE_DIR = Path(__file__).resolve().parents[2]
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def state_dir() -> Path:
    """The one folder that holds everything an installation writes: `STATE_DIR`, or `var/` beside manage.py."""
    return Path(os.environ.get("STATE_DIR") or BASE_DIR / "var").expanduser().absolute()


def services_file(state: Path) -> Path:
    """Where the supervisor writes the addresses of what it started, for commands in other terminals."""
    return state / "run" / "services.env"


def _listed(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _networks(value: tuple[str, ...]) -> tuple[str, ...]:
    try:
        for text in value:
            ip_network(text)
    except ValueError as error:
        raise ValueError(f"{error}; write networks like 10.1.0.0/16") from None
    return value


def _with_scheme(value: str, *, schemes: tuple[str, ...]) -> str:
    if urlsplit(value).scheme not in schemes:
        raise ValueError("must start with " + " or ".join(f"{scheme}://" for scheme in schemes))
    return value


def _remote(value: str) -> str:
    if not urlsplit(value).hostname:
        raise ValueError("must look like sc://host:port")
    return _with_scheme(value, schemes=("sc",))


def _folder(value: str) -> str:
    if urlsplit(value).scheme not in ("", "file"):
        raise ValueError("must be a folder that workers and Spark share: a path or a file:// URL")
    return value


Listed = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]
Networks = Annotated[Listed, AfterValidator(_networks)]
Broker = Annotated[str, AfterValidator(partial(_with_scheme, schemes=("redis", "rediss", "redis+socket")))]


class Environment(BaseSettings):
    """Every variable that Sluice reads. Unset means the embedded installation: all on this machine, for one user."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_ignore_empty=True, use_attribute_docstrings=True, hide_input_in_errors=True
    )

    state_dir: Path = Field(default_factory=state_dir)
    """Folder for the database, logs, sockets, keys and results. Default: `var/` beside manage.py."""

    secret_key: SecretStr | None = Field(default=None, min_length=50)
    """Signs sessions: 50 characters or more, the same for all processes. Default: made once in `STATE_DIR`."""

    debug: bool = False
    """Show traces in the browser. Never on a machine that others can reach."""

    public_url: str = "http://localhost:8000"
    """The address that people type. Must be https unless it is this machine's own."""

    allowed_hosts: Listed = ()
    """Further host names that requests may carry, separated by commas."""

    database_url: str = ""
    """`sqlite:////absolute/file` or `postgresql://user:password@host:port/name`. Default: SQLite in `STATE_DIR`."""

    broker_url: Broker | None = None
    """A Redis-protocol broker: `redis://`, `rediss://` or `redis+socket://`. Default: Sluice starts its own."""

    spark_remote: Annotated[str, AfterValidator(_remote)] | None = None
    """A Spark Connect server: `sc://host:port`. Default: Sluice starts its own."""

    spark_token: SecretStr | None = None
    """Shared secret of that Spark Connect server. Default: made once in `STATE_DIR`."""

    store_url: Annotated[str, AfterValidator(_folder)] = ""
    """Folder for results as Parquet, a path or `file://` URL that workers and Spark share. Default: in `STATE_DIR`."""

    retention_days: int = Field(default=90, ge=0, le=36_500)
    """Days after which replications of finished runs and uploaded logs are deleted; results stay. 0 keeps them."""

    web_processes: int = Field(default=1, ge=1, le=64)
    """Processes that answer requests side by side. With two or more, SIGHUP to their parent replaces them in turn."""

    worker_concurrency: int = Field(default=2, ge=1, le=64)
    """Runs that one Celery worker computes at the same time."""

    spark_cores: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1, le=1024)
    """Cores that the embedded Spark server uses. Default: all of this machine."""

    max_body_bytes: int = Field(default=2_000_000, ge=10_000, le=100_000_000)
    """Largest request body in bytes; a larger one is refused with 413."""

    max_upload_bytes: int = Field(default=200_000_000, ge=10_000, le=10_000_000_000)
    """Largest log of messages that may be uploaded, in bytes; larger ones are named by their location."""

    telemetry_roots: Listed = ()
    """Folders and URLs (`s3a://bucket/logs`) that logs may be read from, separated by commas. Default: none."""

    max_sweep_points: int = Field(default=10_000, ge=1, le=100_000)
    """Largest number of points that one run may expand to."""

    max_run_cpu_seconds: int = Field(default=250_000, ge=1)
    """Longest estimated computing time of one run, in seconds of one core, with all replications it may make."""

    max_run_memory_mb: int = Field(default=8_000, ge=10)
    """Largest estimated memory of one run in its worker, in MB."""

    max_person_runs: int = Field(default=200, ge=1)
    """Runs and experiments of one person that may wait, compute or be paused at the same time."""

    max_person_cpu_seconds: int = Field(default=1_000_000, ge=1)
    """Longest estimated computing time of all of them together, in seconds of one core."""

    max_team_runs: int = Field(default=1_000, ge=1)
    """Runs and experiments of one team's scenarios that may wait, compute or be paused at the same time."""

    max_team_cpu_seconds: int = Field(default=3_000_000, ge=1)
    """Longest estimated computing time of all of them together, in seconds of one core."""

    sign_in_attempts: int = Field(default=5, ge=1, le=100)
    """Wrong passwords of one name from one address, after which signing in there has to wait."""

    sign_in_pause_minutes: int = Field(default=15, ge=1, le=1_440)
    """Minutes that it waits."""

    oidc_issuer: str = ""
    """An OpenID Connect provider to sign in with, as it names itself: `https://id.example.org`. Default: none."""

    oidc_client_id: str = ""
    """What that provider calls this installation."""

    oidc_client_secret_file: FilePath | None = None
    """File with the secret that goes with it."""

    oidc_name: str = "your company account"
    """What people sign in with, as the button says."""

    smtp_url: SecretStr = SecretStr("")
    """`smtps://user:password@host:587` (STARTTLS) or `smtp://host:25` to send new passwords. Default: none are sent."""

    mail_from: str = "sluice@localhost"
    """The sender of these messages."""

    metrics_networks: Networks = ()
    """Networks (`10.1.0.0/16`) that may read `/api/v1/metrics` without a token, separated by commas. Default: none."""

    webhook_networks: Networks = ()
    """Networks (`10.1.0.0/16`) that webhooks may lead to by https although they are not public. Default: none."""

    webhook_loopback: bool = False
    """Let webhooks lead to this machine, also without https. Only for development."""

    chromium_path: str = ""
    """Program that prints reports as PDF: Chromium or Chrome. Default: the one on the PATH; without any, no PDF."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Least severe event that is logged."""

    @model_validator(mode="after")
    def _whole_provider(self) -> Self:
        url, parts = urlsplit(self.oidc_issuer), (self.oidc_issuer, self.oidc_client_id, self.oidc_client_secret_file)
        if any(parts) and not all(parts):
            raise ValueError(
                "OIDC_ISSUER: set it with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET_FILE, or none of the three"
            )
        if self.oidc_issuer and url.scheme != "https" and not _is_loopback(url.hostname or ""):
            raise ValueError("OIDC_ISSUER: must start with https://")
        return self

    @model_validator(mode="after")
    def _encrypted_unless_local(self) -> Self:
        url = self.public_address
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError("PUBLIC_URL: must look like https://sluice.example.org")
        if url.scheme == "http" and not _is_loopback(url.hostname):
            raise ValueError("PUBLIC_URL: must start with https:// because others can reach it")
        return self

    @cached_property
    def public_address(self) -> SplitResult:
        """PUBLIC_URL in its parts."""
        return urlsplit(self.public_url)

    @cached_property
    def smtp(self) -> SplitResult:
        """SMTP_URL in its parts; without a host no mail is sent."""
        return urlsplit(self.smtp_url.get_secret_value())

    @property
    def encrypted(self) -> bool:
        """Whether people reach the pages by https: then cookies and redirects insist on it."""
        return self.public_address.scheme == "https"

    @property
    def hosts(self) -> list[str]:
        """Every host name that a request may carry."""
        return list(dict.fromkeys([self.public_address.hostname or "", *self.allowed_hosts, *LOOPBACK_NAMES]))

    @property
    def store(self) -> Path:
        """Folder for the replications' Parquet files."""
        return Path(urlsplit(self.store_url).path) if self.store_url else self.state_dir / "store"

    def secret(self, name: Literal["secret_key", "spark_token"]) -> str:
        """The secret of that name: the variable's value, or one that was made once in the state folder."""
        given: SecretStr | None = getattr(self, name)
        return given.get_secret_value() if given else kept_secret(self.state_dir / name)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def kept_secret(path: Path) -> str:
    """Read the secret, or make it: complete under another name first, so that no process reads half a key."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        with NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.") as draft, suppress(FileExistsError):
            draft.write(secrets.token_urlsafe(64))
            draft.flush()
            os.link(draft.name, path)
    return path.read_text()


def load() -> Environment:
    """Read the environment, and where the supervisor runs, the addresses of what it started. Raises
    ImproperlyConfigured with one line per bad variable: its name and what it must be."""
    try:
        return Environment(_env_file=services_file(state_dir()))
    except ValidationError as error:
        told = (("_".join(map(str, item["loc"])).upper(), worded(item)) for item in error.errors())
        lines = (": ".join(filter(None, pair)) for pair in told)
        raise ImproperlyConfigured("The environment needs a correction.\n" + "\n".join(lines)) from None
