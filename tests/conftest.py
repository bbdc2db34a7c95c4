"""What tests can ask for: real servers, a real browser, the programs of the machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import translation
from hypothesis import HealthCheck, settings
from playwright.sync_api import sync_playwright

from tests.devices import loop_device, mounted  # noqa: F401 - fixtures
from tests.notifications.servers import mail_server, web_server
from tools import servers
from tools.components import CI, COMPONENTS
from tools.project import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# A busy machine is no finding.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


def pytest_sessionstart(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        call_command("compilemessages")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`pytest -m database` chooses what is to hold on each database.

    Files come in an order of no meaning, the same each time: tests that wait for hosts and browsers
    run beside those that take a processor, instead of all of them at the end.
    """
    items.sort(key=lambda item: crc32(str(item.path.relative_to(ROOT)).encode()))
    for item in items:
        if item.get_closest_marker("django_db") or "db" in getattr(item, "fixturenames", ()):
            item.add_marker("database")


def pytest_runtest_setup(item: pytest.Item) -> None:
    translation.deactivate()  # the language of the page that an earlier test asked for last


def need(component: str) -> str:
    """The path of a component's program; without it the test is skipped, and fails in CI."""
    path = COMPONENTS[component].path()
    if not path:
        (pytest.fail if CI else pytest.skip)(f"{component} is missing")
    return path


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> Iterator[None]:
    """The test databases; a request that a closed window left behind does not hold them."""
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            connection.cursor().execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """An empty PostgreSQL server."""
    need("PostgreSQL")
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """An empty Redis server."""
    need("Redis")
    with servers.redis() as url:
        yield url


@pytest.fixture
def mailbox(settings):
    """A mail server that the settings name."""
    with mail_server() as box:
        settings.EMAIL_BACKEND = "benchdash.notifications.mail.Backend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = box.host, box.port
        yield box


@pytest.fixture
def hook(settings):
    """A web server that webhooks may reach, on this machine as it is."""
    settings.WEBHOOK_NETWORKS = ["127.0.0.1"]
    with web_server() as one:
        yield one


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, one a session."""
    executable = need("Chromium")
    # Playwright's loop runs in this thread, where Django would refuse the database to tests.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, live_server) -> Iterator[Page]:
    """A fresh window on the running house; an uncaught error of a script fails the test."""
    context = browser.new_context(base_url=live_server.url, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error.stack}"))
    yield page
    context.close()
    assert errors == []
