"""`ludus serve | backup | restore | admin`, and `ludus verify --all`: running a server."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus.core.errors import LudusError

if TYPE_CHECKING:
    from ludus.store import Store

Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        envvar="LUDUS_DB",
        help="A SQLite file, or postgresql://USER:PASSWORD@HOST/NAME. Default: the user's data folder.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object.")]


def _flag(name: str, help_text: str) -> Any:
    return typer.Option(f"--{name}", help=help_text, show_default=False)


def serve(
    host: Annotated[str | None, _flag("host", "Address to listen on (127.0.0.1); 0.0.0.0 for all.")] = None,
    port: Annotated[
        int | None, _flag("port", "Port to listen on (8000, or the next that is free); 0: any.")
    ] = None,
    db: Db = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    public_url: Annotated[str | None, _flag("public-url", "The address people type.")] = None,
    origins: Annotated[str | None, _flag("origins", "More addresses whose pages may play here.")] = None,
    allow_host: Annotated[str | None, _flag("allow-host", "More names of this server.")] = None,
    proxy: Annotated[str | None, _flag("proxy", "Address of the proxy in front.")] = None,
    bot_workers: Annotated[int | None, _flag("bot-workers", "Processes in which bots think.")] = None,
    bot_think: Annotated[float | None, _flag("bot-think", "Seconds a bot is asked to think.")] = None,
    bot_seconds: Annotated[float | None, _flag("bot-seconds", "Longest time a bot may take.")] = None,
    analysts: Annotated[int | None, _flag("analysts", "Processes that analyse finished matches.")] = None,
    patience: Annotated[float | None, _flag("patience", "Seconds a request may take to arrive.")] = None,
    connections: Annotated[int | None, _flag("connections", "Connections at the same time.")] = None,
    limits: Annotated[
        bool | None, typer.Option("--limits/--no-limits", help="Rate limits.", show_default=False)
    ] = None,
    metrics: Annotated[str | None, _flag("metrics", "Who may read /metrics: local, all or off.")] = None,
    grace: Annotated[float | None, _flag("grace", "Seconds added to clocks after an outage.")] = None,
    tables: Annotated[int | None, _flag("tables", "Matches kept in memory.")] = None,
    form: Annotated[str | None, _flag("form", "How rules run: plain or auto.")] = None,
    log: Annotated[str | None, _flag("log", "Log lines: info, warning, off or auto.")] = None,
) -> None:
    """Play in the browser, alone or with others.

    Every setting can also be given as LUDUS_NAME in the environment;
    docs/host.md has the table.

    Example: ludus serve --port 8080 --db /srv/ludus/ludus.db
    """
    from ludus.server.run import serve as run
    from ludus.server.settings import read_settings

    given = dict(locals())
    flags = {name: value for name, value in given.items() if name not in ("run", "read_settings", "browser")}
    settings = read_settings(flags)
    asked = port is not None or os.environ.get("LUDUS_PORT", "") != ""
    run(settings, browser=browser and sys.stdout.isatty(), search=not asked)


def _open(db: str | None) -> Store:
    from ludus.store import open_store

    return open_store(db)


def backup(
    file: Annotated[Path, typer.Argument(help="Where the backup goes.", show_default=False)], db: Db = None
) -> None:
    """Write everything into one file, while the server runs.

    The file holds hands, keys of dice and password hashes: keep it safe.

    Example: ludus backup ludus-2026-11-16.backup
    """
    from ludus.store.backup import backup as write

    counts = write(_open(db), file)
    typer.echo(f"{file}: {counts['matches']} matches, {counts['entries']} entries, {counts['people']} people")


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.", show_default=False)],
    db: Db = None,
    replace: Annotated[bool, typer.Option("--replace", help="In place of what the database holds.")] = False,
) -> None:
    """Read a backup into a database, all of it or nothing; a running server goes on with it.

    Example: ludus restore ludus-2026-11-16.backup --db postgresql://ludus@localhost/ludus
    """
    from ludus.store.backup import restore as read

    counts = read(_open(db), file, replace)
    typer.echo(
        f"{counts['matches']} matches, {counts['entries']} entries, {counts['people']} people restored"
    )


def verify_all(db: str | None, finished: bool = False, as_json: bool = False) -> None:
    """Replay every running match of a database; exit status 1 if any would not go on.

    Behind `ludus verify --all --db URL`.
    """
    from ludus.store.verify import verify_all as replay

    from .common import progress_bar

    store = _open(db)
    with progress_bar(quiet=as_json or not sys.stderr.isatty()) as bar:
        task = bar.add_task("matches", total=None, rate="")
        found = replay(store, finished, lambda done, of: bar.update(task, completed=done, total=of))
    if as_json:
        typer.echo(json.dumps({"good": found.good, "problems": found.problems}))
    else:
        for match_id, problem in found.problems.items():
            typer.echo(f"{match_id}: {problem}")
        typer.echo(f"{found.good} good, {len(found.problems)} not")
    if not found.passed:
        raise typer.Exit(1)


# -- bench --------------------------------------------------------------------------------------------


def bench_server(
    title: Annotated[
        str | None, typer.Option("--title", help="A title; default: the first.", show_default=False)
    ] = None,
    matches: Annotated[int, typer.Option("--matches", min=1, help="Live matches, two sockets each.")] = 500,
    rate: Annotated[float, typer.Option("--rate", min=1, help="Moves a second.")] = 250.0,
    seconds: Annotated[float, typer.Option("--seconds", min=1, help="How long.")] = 60.0,
    postgres: Annotated[bool, typer.Option("--postgres", help="On PostgreSQL, not SQLite.")] = False,
    processes: Annotated[int, typer.Option("--processes", min=1, help="Server processes.")] = 1,
    apart: Annotated[
        bool, typer.Option("--apart", help="Both seats of a match at different processes.")
    ] = False,
    analysing: Annotated[
        bool, typer.Option("--analysing", help="With an analysis being made all the time.")
    ] = False,
    form: Annotated[str, typer.Option("--form", help="How rules run: plain or auto.")] = "auto",
    saturate: Annotated[
        bool, typer.Option("--saturate", help="Then faster, until the goal is missed.")
    ] = False,
    as_json: AsJson = False,
    write_docs: Annotated[
        bool, typer.Option("--write-docs", help="Write the table to its place in docs/host.md.")
    ] = False,
) -> None:
    """How long both seats wait for a move, with many live matches.

    Random play, sent by the clock; each move is timed from when it was
    due until both seats were told. The servers, the database and the
    clients run on this machine. When a match ends the same people begin
    another. The goal: 99 of 100 within 100 ms, below 1 GB, no error; the
    exit status is 1 when it is missed.

    Example: ludus bench server --title TITLE --matches 100 --seconds 10
    """
    from ludus import titles as registry

    from .common import progress_bar

    try:
        from ludus.lab import server_bench as bench
    except ImportError as error:
        raise LudusError(f'this needs the extra "dev": pip install "ludus-antiquus[dev]" ({error})') from None
    from ludus.lab import figures

    folder = figures.docs_folder() if write_docs else None  # said before the long work, not after it
    name = title or registry.title_names()[0]
    load = bench.Load(name, matches, rate, seconds, postgres, processes, form, apart, analysing)
    with progress_bar(quiet=as_json or not sys.stderr.isatty()) as bar:
        task = bar.add_task("sitting down", total=matches, rate="")
        report = bench.run_bench(load, saturate, lambda done, of: bar.update(task, completed=done, total=of))
    if as_json:
        typer.echo(json.dumps(report.json()))
    else:
        for line in bench.table(report):
            typer.echo(line)
    if folder is not None:
        body = "\n".join([f"`{bench.command(load, saturate)}`:", "", *bench.table(report)])
        written = figures.write_docs(folder, bench.place(load), body)
        typer.echo(f"ludus: wrote {', '.join(written) or 'nothing: no page has the markers'}", err=True)
    if not report.asked.good:
        raise typer.Exit(1)


# -- admin --------------------------------------------------------------------------------------------

admin = typer.Typer(no_args_is_help=True)
MatchId = Annotated[str, typer.Argument(help="The id of a match.", show_default=False)]
Who = Annotated[str, typer.Argument(help="A name, or the id of a person.", show_default=False)]


@admin.callback()
def admin_help() -> None:
    """Look after a server: end or delete matches; ban, rename or forget people.

    Works on the database, beside a running server, which notices.
    """


@admin.command("stuck")
def stuck(
    db: Db = None,
    days: Annotated[float, typer.Option("--days", help="Idle for so long.")] = 14.0,
    as_json: AsJson = False,
) -> None:
    """List matches that cannot be opened, or in which nothing has happened for long."""
    from ludus.store.admin import stuck_matches

    rows = stuck_matches(_open(db), days * 86400.0, time.time())
    if as_json:
        typer.echo(json.dumps(rows))
        return
    for row in rows:
        typer.echo(f"{row['id']}  {row['title']:<10} {row['entries']:>5} entries  {row['why']}")
    typer.echo(f"{len(rows)} matches")


@admin.command("end")
def end(match_id: MatchId, db: Db = None) -> None:
    """Close a match without a result; it can still be looked at."""
    from ludus.store.admin import close_match

    close_match(_open(db), match_id, time.time())
    typer.echo(f"{match_id} is closed")


@admin.command("delete")
def delete(
    match_id: MatchId,
    db: Db = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a match with its record.  Cannot be undone."""
    from ludus.store.admin import delete_match

    if not yes:
        typer.confirm(f"Delete {match_id} for ever?", abort=True)
    delete_match(_open(db), match_id)
    typer.echo(f"{match_id} is gone")


@admin.command("ban")
def ban(
    who: Who,
    db: Db = None,
    lift: Annotated[bool, typer.Option("--lift", help="Let the person in again.")] = False,
) -> None:
    """Keep a person out: sessions end, log-ins are refused."""
    from ludus.store.admin import ban_person

    name = ban_person(_open(db), who, not lift, time.time())
    typer.echo(f"{name} is {'let in again' if lift else 'banned'}")


@admin.command("rename")
def rename(
    who: Who, name: Annotated[str, typer.Argument(help="The new name.", show_default=False)], db: Db = None
) -> None:
    """Give a person another name."""
    from ludus.store.admin import rename_person

    typer.echo(f"now called {rename_person(_open(db), who, name)}")


@admin.command("forget")
def forget(
    who: Who, db: Db = None, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False
) -> None:
    """Remove a person: name, password, sessions, notes, chat.  Seats become free."""
    from ludus.store.admin import forget_person

    if not yes:
        typer.confirm(f"Forget {who} for ever?", abort=True)
    changed = forget_person(_open(db), who, time.time())
    typer.echo(f"forgotten; {changed} matches go on without the name")


@admin.command("reports")
def handed_in(
    db: Db = None,
    folder: Annotated[Path | None, typer.Option(help="Write each as a scene file into this folder.")] = None,
    remove: Annotated[str, typer.Option(help="Remove the one with this id: it is dealt with.")] = "",
) -> None:
    """List bugs in the rules that people have handed in, as scenes."""
    from ludus.store import reports

    store = _open(db)
    if remove:
        with store.write() as connection:
            found = reports.remove(connection, remove)
        typer.echo(f"{remove} is removed" if found else f"there is no report {remove}")
        return
    with store.read() as connection:
        rows = reports.listed(connection)
    for row in rows:
        note = next((line for line in row.text.splitlines() if line.startswith("note = ")), "")
        typer.echo(f"{row.id}  {row.title:<10} {note.removeprefix('note = ')}")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{row.title}-{row.id}.toml").write_text(row.text, encoding="utf-8")
    typer.echo(f"{len(rows)} reports")


__all__ = ["admin", "backup", "bench_server", "restore", "serve", "verify_all"]
