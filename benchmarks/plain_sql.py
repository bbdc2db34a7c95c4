"""The rows of stored files, read back and written again by plain SQL: the floor of storing.

One transaction a file, ids of words known beforehand, no parser, no request, no check.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.string import TextLoader

Row = dict[str, Any]
TABLES = (
    *("joinedmeasurement", "measurement", "trace", "upload", "doubt"),
    *("run", "sample", "execution", "artifact"),
)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The rows of one file; each run with its (measure, value)."""

    artifact: Row
    upload: Row
    executions: list[Row]
    samples: list[Row]
    runs: list[tuple[Row, list[tuple[int, float]]]]


class PostgreSQL:
    """What is specific to PostgreSQL."""

    hole = "%s"

    def __init__(self, address: str) -> None:
        self.connection: Any = psycopg.connect(address, autocommit=True)
        self.connection.adapters.register_loader("jsonb", TextLoader)

    def columns(self, table: str) -> list[str]:
        found = self.connection.execute(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
            [f"results_{table}"],
        )
        return [name for (name,) in found]

    def transaction(self) -> AbstractContextManager[Any]:
        context: AbstractContextManager[Any] = self.connection.transaction()
        return context

    def write_numbers(self, run: int, numbers: Iterable[tuple[int, float]]) -> None:
        cursor = self.connection.cursor()
        with cursor.copy("COPY results_measurement (run_id, measure_id, value) FROM STDIN") as copy:
            copy.write("".join(f"{run}\t{measure}\t{value!r}\n" for measure, value in numbers))


class SQLite:
    """What is specific to SQLite, as durable as in the project."""

    hole = "?"

    def __init__(self, address: str) -> None:
        self.connection: Any = sqlite3.connect(address.removeprefix("sqlite:///"), timeout=30)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=NORMAL")

    def columns(self, table: str) -> list[str]:
        return [row[1] for row in self.connection.execute(f"PRAGMA table_info(results_{table})")]

    def transaction(self) -> AbstractContextManager[Any]:
        context: AbstractContextManager[Any] = self.connection
        return context

    def write_numbers(self, run: int, numbers: Iterable[tuple[int, float]]) -> None:
        self.connection.executemany(
            "INSERT INTO results_measurement (run_id, measure_id, value) VALUES (?, ?, ?)",
            ((run, measure, value) for measure, value in numbers),
        )


class PlainSQL:
    """The stored files of a database; `write` is what is timed."""

    def __init__(self, address: str) -> None:
        self.database = SQLite(address) if address.startswith("sqlite") else PostgreSQL(address)
        self.execute = self.database.connection.execute

    def read(self) -> list[StoredFile]:
        """The files that are stored, in their order."""
        return [self._file(artifact) for artifact in self._rows("artifact", "1", 1)]

    def newest(self) -> StoredFile:
        """The file that was stored last."""
        (pk,) = self.execute("SELECT max(id) FROM results_artifact").fetchone()
        (artifact,) = self._rows("artifact", "id", pk)
        return self._file(artifact)

    def _file(self, artifact: Row) -> StoredFile:
        runs = self._rows("run", "artifact_id", artifact["id"])
        samples = {run["sample_id"] for run in runs}
        return StoredFile(
            artifact,
            self._rows("upload", "artifact_id", artifact["id"])[0],
            self._rows("execution", "artifact_id", artifact["id"]),
            [row for pk in samples for row in self._rows("sample", "id", pk)],
            [(run, self._numbers(run["id"])) for run in runs],
        )

    def _rows(self, table: str, key: str, value: int) -> list[Row]:
        columns = self.database.columns(table)
        condition = f"{key} = {self.database.hole} ORDER BY id"
        select = f"SELECT {', '.join(columns)} FROM results_{table} WHERE {condition}"
        rows = self.execute(select, [value]).fetchall()
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def _numbers(self, run: int) -> list[tuple[int, float]]:
        select = "SELECT measure_id, value FROM results_measurement WHERE run_id ="
        return list(self.execute(f"{select} {self.database.hole}", [run]).fetchall())

    def write(self, files: Iterable[StoredFile]) -> None:
        """Each file in one transaction."""
        for file in files:
            with self.database.transaction():
                artifact = self._insert("artifact", file.artifact)
                executions = {
                    row["id"]: self._insert("execution", row | {"artifact_id": artifact})
                    for row in file.executions
                }
                samples = {row["id"]: self._insert("sample", row) for row in file.samples}
                for run, numbers in file.runs:
                    part_of = {
                        "artifact_id": artifact,
                        "execution_id": executions[run["execution_id"]],
                        "sample_id": samples[run["sample_id"]],
                    }
                    pk = self._insert("run", run | part_of)
                    self.database.write_numbers(pk, numbers)
                self._insert("upload", file.upload | {"artifact_id": artifact})

    def _insert(self, table: str, row: Row) -> int:
        columns = [name for name in row if name != "id"]
        holes = ", ".join([self.database.hole] * len(columns))
        statement = f"INSERT INTO results_{table} ({', '.join(columns)}) VALUES ({holes})"
        values = [row[name] for name in columns]
        (pk,) = self.execute(f"{statement} RETURNING id", values).fetchone()
        return int(pk)

    def clear(self) -> None:
        """Delete every file; measures and workloads stay."""
        with self.database.transaction():
            for table in TABLES:
                self.execute(f"DELETE FROM results_{table}")
