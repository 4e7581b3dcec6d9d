"""Settings: by flag of `ludus serve`, or by an environment variable LUDUS_...; one table for both.

`docs/host.md` shows the table; a test keeps the two alike.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, get_type_hints

from ludus.core.errors import LudusError

Network = IPv4Network | IPv6Network


class BadSetting(LudusError):
    """A setting that cannot be used."""


def _s(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class Settings:
    """Every setting with its default and what it means."""

    host: str = _s("127.0.0.1", "Address to listen on; 0.0.0.0 for all.")
    port: int = _s(8000, "Port to listen on.")
    db: str = _s(
        "",
        "Database: a SQLite file, or postgresql://USER:PASSWORD@HOST/NAME. Default: the user's data folder.",
    )
    public_url: str = _s(
        "",
        "What people type, e.g. https://ludus.example: its pages are allowed, https makes cookies Secure.",
    )
    origins: str = _s(
        "", "More addresses whose pages may open sockets and send commands, with commas between."
    )
    allow_host: str = _s(
        "",
        "More names by which this server may be called, with commas between; * for any. Addresses, names "
        "without a dot, NAME.local and the name of the public URL always may.",
    )
    proxy: str = _s(
        "",
        "Addresses or networks of the proxy, with commas between; X-Forwarded-* counts only from there.",
    )
    bot_workers: int = _s(0, "Processes in which bots think; 0: one fewer than cores, at least one.")
    bot_think: float = _s(5.0, "Seconds a bot is asked to think at a decision, at most; most want less.")
    bot_seconds: float = _s(10.0, "Longest time a bot may take; then a legal move at random is played.")
    analysts: int = _s(1, "Processes in which finished matches are analysed, at low priority; 0: none.")
    patience: float = _s(
        10.0,
        "Seconds in which the head of a request must arrive; twice that for its body and for reading "
        "the answer, three times between two requests.",
    )
    connections: int = _s(0, "Connections at the same time; 0: what the system allows, at most 8000.")
    limits: bool = _s(True, "Rate limits. Off only for tests and measurements.")
    metrics: str = _s(
        "local", "Who may read /metrics: local (this machine, not through the proxy), all, or off."
    )
    grace: float = _s(15.0, "Seconds added to running clocks after an outage, beside its length.")
    tables: int = _s(2000, "Matches kept in memory, beyond those that somebody is looking at.")
    form: str = _s("auto", "How rules run: plain, or auto: compiled as soon as that lies ready.")
    log: str = _s(
        "auto",
        "Log lines: info, warning, or off, as JSON. auto: info; in a terminal only what is wrong, in words.",
    )

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise BadSetting(f"{name} is one of {', '.join(allowed)}, not {getattr(self, name)!r:.40}")
        if not 0 <= self.port < 65536:
            raise BadSetting(f"there is no port {self.port}")
        if (
            min(self.bot_seconds, self.bot_think, self.patience) <= 0
            or min(self.bot_workers, self.analysts, self.connections) < 0
            or self.tables < 1
            or self.grace < 0
        ):
            raise BadSetting(
                "bot_think, bot_seconds, patience and tables must be above 0, "
                "bot_workers, analysts, connections and grace not below it"
            )
        self.proxies()

    def proxies(self) -> list[Network]:
        """The networks of the proxy."""
        try:
            return [ip_network(part.strip(), strict=False) for part in self.proxy.split(",") if part.strip()]
        except ValueError as error:
            raise BadSetting(f"proxy: {error}") from None

    def allowed_origins(self) -> frozenset[str]:
        given = [self.public_url, *self.origins.split(",")]
        return frozenset(o.strip().rstrip("/").lower() for o in given if o.strip())


def is_within(address: str, networks: Iterable[Network]) -> bool:
    """Whether an address, also an IPv4 one in the clothes of IPv6, belongs to one of the networks."""
    try:
        known = ip_address(address)
    except ValueError:
        return False
    if isinstance(known, IPv6Address) and known.ipv4_mapped:
        known = known.ipv4_mapped
    return any(known in network for network in networks)


_CHOICES = {
    "metrics": ("local", "all", "off"),
    "form": ("plain", "auto"),
    "log": ("auto", "info", "warning", "off"),
}


def read_settings(flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """Flags before the environment before defaults; a flag that was not given is None."""
    kinds = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        variable = f"LUDUS_{setting.name.upper()}"
        if flags.get(setting.name) is not None:
            values[setting.name] = flags[setting.name]
        elif environment.get(variable, "") != "":
            values[setting.name] = _read(variable, environment[variable], kinds[setting.name])
    return Settings(**values)


def _read(name: str, text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() in ("1", "on", "yes", "true"):
            return True
        if text.lower() in ("0", "off", "no", "false"):
            return False
        raise BadSetting(f"{name} is on or off, not {text!r:.40}")
    try:
        return kind(text)
    except ValueError:
        raise BadSetting(f"{name} must be a number, not {text!r:.40}") from None


def settings_table() -> str:
    """The table of `docs/host.md`."""
    rows = ["| flag | variable | default | meaning |", "| --- | --- | --- | --- |"]
    for setting in fields(Settings):
        flag = f"--{setting.name.replace('_', '-')}" + ("/--no-limits" if setting.name == "limits" else "")
        default = setting.default
        if isinstance(default, bool):
            default = "on" if default else "off"
        shown = f"`{default}`" if default != "" else ""
        rows.append(f"| `{flag}` | `LUDUS_{setting.name.upper()}` | {shown} | {setting.metadata['help']} |")
    return "\n".join(rows)
