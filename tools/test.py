"""`make test`: lint, types, contracts, and all suites, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import secrets

from tools import servers
from tools.components import install_components, missing
from tools.install import install_development, npm
from tools.project import PYTHON, VENV, run

PRODUCTION = {
    "DATABASE_URL": "postgres://benchdash@database/benchdash",
    "SECRET_KEY": secrets.token_urlsafe(50),
    "FIELD_ENCRYPTION_KEY": f"{secrets.token_urlsafe(32)}=",
}
# two more than cores: many tests wait for hosts, workers and browsers; more of them run out of time
AT_ONCE = str((os.cpu_count() or 1) + 2)
PYTEST = ("pytest", "--numprocesses", AT_ONCE, "--dist", "worksteal", "--durations", "40")


def main() -> None:
    """Set up what is missing, then every check, quickest first; ends at the first that fails."""
    install_development()
    install_components()
    lint_and_types()
    contracts()
    tool(*PYTEST)
    if {"PostgreSQL", "Redis"} & set(missing()):
        print("SKIPPED: the tests that touch a database, on PostgreSQL and Redis.")
    else:
        with servers.postgres() as database, servers.redis() as cache:
            tool(*PYTEST, "-m", "database and not once", DATABASE_URL=database, REDIS_URL=cache)


def lint_and_types() -> None:
    """Static checks of Python and TypeScript."""
    tool("ruff", "check", ".")
    tool("ruff", "format", "--check", ".")
    tool("mypy")
    npm("run", "--silent", "types")
    npm("run", "--silent", "test")


def contracts() -> None:
    """Checks of import contracts, migrations, settings and the API schema."""
    tool("lint-imports")
    manage("makemigrations", "--check", "--dry-run")
    manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    manage("spectacular", "--validate", "--fail-on-warn", "--file", os.devnull)


def manage(*arguments: str, **environment: str) -> None:
    """Run a command of manage.py."""
    _run(PYTHON, "manage.py", *arguments, **environment)


def tool(name: str, *arguments: str, **environment: str) -> None:
    """Run a tool of the virtual environment."""
    _run(VENV / "bin" / name, *arguments, **environment)


def _run(*command: object, **environment: str) -> None:
    print(f"\n$ {' '.join(map(str, command))}", flush=True)
    run(*map(str, command), environment=os.environ | environment)


if __name__ == "__main__":
    main()
