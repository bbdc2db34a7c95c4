"""`python -m benchdash.workshop.development`: what lint, types, tests, benchmarks and fuzzing need."""

from __future__ import annotations

from benchdash.workshop.frontend import build_frontend, install_packages
from benchdash.workshop.python import install_python


def install_development() -> None:
    """Bring .venv, node_modules and the bundle up to date, with the tools of development."""
    install_python("requirements-dev.txt")
    install_packages(development=True)
    build_frontend()


if __name__ == "__main__":
    install_development()
