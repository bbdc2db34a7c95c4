# A Python of 3.11 or newer with its venv module is all that is needed: tools/ installs the rest.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
ifeq ($(PYTHON),)
$(error benchdash needs Python 3.11 or newer with its venv module. \
	On Debian 12, Ubuntu 24.04 or newer: apt-get install python3-venv)
endif

.PHONY: run test bench fuzz cuts verdicts format lock development messages screenshots types

run:
	@exec $(PYTHON) -m tools.run

test:
	@exec $(PYTHON) -m tools.test

bench: development
	@exec .venv/bin/python -m benchmarks

fuzz: development
	@exec .venv/bin/python -m tests.fuzz_parsers

cuts: development
	@exec .venv/bin/python -m tests.cut_parsers

verdicts: development
	@exec .venv/bin/python -m tests.simulate_verdicts

format: development
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

# Every page, empty and full, as pictures under var/screenshots.
screenshots: development
	.venv/bin/pytest tests/journeys/screenshots.py

# Texts that people see, taken out of code, templates and vocabulary into frontend/locale.
messages: development
	.venv/bin/python -m tools.messages

# After a change of what charts draw: its classes into the types of the scripts that draw it.
types: development
	.venv/bin/python -m tools.chart_types

development:
	@exec $(PYTHON) -m tools.install

# After a change of pyproject.toml or package.json; `make lock UPGRADE=--upgrade` takes the newest.
COMPILE = env -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS \
	uv pip compile --no-config --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate $(UPGRADE)
lock:
	$(COMPILE) pyproject.toml --output-file requirements.txt
	$(COMPILE) pyproject.toml --group dev --constraint requirements.txt \
		--output-file requirements-dev.txt
	$(COMPILE) --group node --output-file requirements-node.txt
	npm $(if $(UPGRADE),update,install) --package-lock-only
