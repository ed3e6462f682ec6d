# Livro da Sala: everything is started from here. `make` alone prints what there is.
#
# Needs python3 (3.11 or newer) with pip, make and git: nothing else. The environment lies in .venv and is made with
# --without-pip, because a fresh Debian has no ensurepip and refuses to install outside an environment.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
INSTALL := $(PYTHON) -m pip --disable-pip-version-check --python $(PY) install --quiet --require-hashes
MANAGE := $(PY) manage.py

# Everything the targets leave behind, beside the environment.
DEMO := .local/demo

# Seconds after which the tests are stopped, and how many processes share them.
TEST_LIMIT ?= 1500
CHECK_LIMIT ?= 10800
SOAK_LIMIT ?= 14400
WORKERS ?= 2
# Of the inner gate one more: many of its tests wait for a browser, a server or a second process.
TEST_WORKERS ?= 3
# Seconds after which a single test counts as stuck: every thread's stack is printed, its process ends, it fails by name.
TEST_STUCK := 420
CHECK_STUCK := 1500

# Two thirds of collecting the tests is compiling them: what was compiled is kept, whatever the machine is told.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(PY) -m pytest -o faulthandler_exit_on_timeout=true

# Debian programs the tests ask for by name (`needs_tool`): a second PostgreSQL, the broker of a casino in
# earnest, a browser, Go with its own reader of signed notes and transparency logs, and poppler, which reads seals.
DEBIAN_TOOLS := postgresql-15 rabbitmq-server chromium golang-go golang-golang-x-mod-dev poppler-utils softhsm2

# The pure rooms: their lines are counted, and at least 98 in a hundred are run by `make check`.
COVERED := casino/cards casino/events casino/gaming_day casino/reading casino/law casino/tlog \
	jackpot/events jackpot/progressive jackpot/rules audit/events audit/sampling

# Who looks into the database with `make psql`.
ROLE ?= reader

##@ Use
.PHONY: run
run: $(VENV)/.run ## Open the house: database, web server and jobs (PORT=8000; Ctrl-C closes it)
	@exec $(PY) -m casino.local run $(ARGS)

.PHONY: training
training: $(VENV)/.run ## A house to train in, marked on every page, with a book of its own (port 8100; ANEW=1 throws it away first)
	@if [ -n "$(ANEW)" ]; then TRAINING=1 $(PY) -m casino.local forget; fi
	@TRAINING=1 exec $(PY) -m casino.local run $(ARGS)

.PHONY: manage
manage: $(VENV)/.run ## Run a command of manage.py on the book: make manage ARGS="rebuild --check"
	@exec $(PY) -m casino.local manage $(ARGS)

.PHONY: psql
psql: $(VENV)/.run ## Look into the book's database (ROLE=reader)
	@exec $(PY) -m casino.local psql $(ROLE)

.PHONY: signer
signer: $(VENV)/.run ## Ask or tell the signer: make signer ARGS="status", "key new", "adopt"
	@exec $(PY) -m casino.local signer $(ARGS)

.PHONY: verifier
verifier: $(VENV)/.run ## Pack what an inspector carries: .local/livro-verify.pyz (to be read), -verifier.pyz, -draw.pyz, -law.pyz
	@$(PY) -m audit.offline_programs .local
	@echo "python3 .local/livro-verify.pyz BUNDLE     (short enough to be read; needs the package cryptography, nothing else)"
	@echo "python3 .local/livro-verifier.pyz BUNDLE   (judges more, and quicker)"
	@echo "python3 .local/livro-draw.pyz BUNDLE       (makes the draws of rounds again; needs nothing but Python)"
	@echo "python3 .local/livro-law.pyz COPY           (the words of the law beside each finding)"
	@echo "python3 .local/livro-attested.py BUNDLE    (what people confirmed by passkey)"

.PHONY: inspectorate
inspectorate: $(VENV)/.run ## The inspectorate's own program: witness, mirror and judge casinos' books (docs/mirror.md)
	@exec $(PY) -m audit.inspectorate $(ARGS)

.PHONY: evening
evening: $(VENV)/.run ## Without a database: play an evening into a file, print what is found in it
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@echo "== An evening at three tables, with one mistake in a hundred rounds =="
	@$(MANAGE) simulate --seed 7 --tables 3 --rounds 400 --error-rate 0.01 \
		--output $(DEMO)/evening.jsonl --labels $(DEMO)/mistakes.jsonl
	@echo
	@echo "== The same evening, checked against the Portuguese regulation =="
	@# Exit 1 says "there are findings", which is what the demo is for; anything above is a failure.
	@$(MANAGE) reconcile_file $(DEMO)/evening.jsonl --rulebook pt || [ $$? -eq 1 ]
	@echo
	@echo "The rounds: $(DEMO)/evening.jsonl. The mistakes that were made on purpose: $(DEMO)/mistakes.jsonl."

##@ Check
.PHONY: test
test: $(VENV)/.test ## Run the tests of the inner gate (some eight minutes on two cores)
	@timeout --foreground $(TEST_LIMIT) $(PYTEST) -o faulthandler_timeout=$(TEST_STUCK) -n $(TEST_WORKERS) --dist worksteal $(ARGS)

.PHONY: check
check: $(VENV)/.test ## Before a version is given: every test, kills, boots, browsers, coverage (bounded: 3 hours)
	@GATE=check timeout --foreground $(CHECK_LIMIT) $(PYTEST) -n $(WORKERS) --dist worksteal \
		-o faulthandler_timeout=$(CHECK_STUCK) $(COVERED:%=--cov=%) --cov-report=term:skip-covered --cov-fail-under=98 $(ARGS)

.PHONY: soak
soak: $(VENV)/.test ## The same tests at their full size (bounded: 4 hours)
	@GATE=soak timeout --foreground $(SOAK_LIMIT) $(PYTEST) -n $(WORKERS) $(ARGS)

.PHONY: lint
lint: $(VENV)/.test ## Check imports between rooms, style, format and types
	@$(VENV)/bin/lint-imports --no-logo --no-cache
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy

.PHONY: bench
bench: $(VENV)/.bench ## Install what the benchmarks compare against, and run them
	@$(PY) -m tests.bench.judge_against_gymnasium $(ARGS)

##@ In earnest
# Debian's own Python: there is no environment yet. What house.conf is made of, the first time: docs/operations.md.
GIVEN := HOUSE LOG_ORIGIN CASINO_NAME CONCESSION_HOLDER CASINO_PLACE INSPECTION_SERVICE BACKUP_TO CERTIFICATE CERTIFICATE_KEY

.PHONY: install
install: ## As root, on a bare Debian 12: the whole house (HOUSE=livro.casino.pt CASINO_NAME=... CONCESSION_HOLDER=... CASINO_PLACE=...)
	@command -v /usr/bin/python3 >/dev/null || { export DEBIAN_FRONTEND=noninteractive; apt-get update -qq && apt-get install -y -qq --no-install-recommends python3; }
	@/usr/bin/python3 -m casino.host install $(foreach name,$(GIVEN),$(if $($(name)),'$(name)=$($(name))'))

.PHONY: doctor
doctor: ## As root, on a house in earnest: what is missing or wrong, and what to do
	@/usr/bin/python3 -m casino.host doctor

.PHONY: uninstall
uninstall: ## As root: remove services and program; book, keys, secrets and backups stay
	@/usr/bin/python3 -m casino.host uninstall

##@ Look after
.PHONY: tools
tools: ## Install the Debian programs some tests need (as root)
	@if [ "$$(id -u)" -ne 0 ]; then \
		echo "make tools installs Debian packages and must be run as root:"; \
		echo "    sudo make tools"; \
		echo "or ask for: $(DEBIAN_TOOLS)"; \
		echo "Without them the tests that need them are skipped, and counted in the last line."; \
		exit 1; fi
	@# The tests start servers of their own: Debian is told (policy-rc.d) to start none at the installation.
	@policy=/usr/sbin/policy-rc.d; \
	if [ ! -e $$policy ]; then \
		trap "rm -f $$policy" EXIT; printf '#!/bin/sh\nexit 101\n' > $$policy; chmod 755 $$policy; fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	apt-get update -qq && apt-get install -y -qq --no-install-recommends $(DEBIAN_TOOLS)

.PHONY: museum
museum: $(VENV)/.test ## Judge an evening like each incident that was made public (docs/museum.md)
	@$(VENV)/bin/python manage.py museum

.PHONY: messages
messages: $(VENV)/.test ## Compile the texts in Portuguese, Spanish and French (locale/*.po -> *.mo)
	@$(VENV)/bin/pybabel compile --domain django --directory locale --statistics

.PHONY: manual
manual: $(VENV)/.test ## Take the pictures of the manual anew (after a page it shows has changed; needs chromium)
	@rm -f audit/static/audit/manual/*.jpg
	@GATE=check SALA_SHOTS=$(CURDIR)/audit/static/audit/manual $(PYTEST) -n 0 -q tests/browser/test_manual_pictures.py

.PHONY: locks
locks: ## Renew the locked requirements from requirements/*.in (needs uv)
	@command -v uv >/dev/null || { echo "make locks needs uv on the PATH."; exit 1; }
	@for lock in run:requirements.txt server:requirements/server.txt test:requirements/test.txt bench:requirements/bench.txt; do \
		uv pip compile "requirements/$${lock%%:*}.in" --output-file "$${lock#*:}" --quiet \
			--python-version 3.11 --generate-hashes --no-strip-extras --no-annotate --no-header \
			--no-emit-index-url --no-emit-find-links; \
	done

.PHONY: release
release: ## What a version is made of (CycloneDX, .local/release), and known holes in it (pip-audit, where it and a network are)
	@$(PYTHON) -m casino.host sbom .local/release
	@if ! command -v pip-audit >/dev/null; then echo "pip-audit is not on the PATH: known holes were NOT looked for."; \
	elif out=$$(pip-audit --strict --disable-pip --requirement requirements/server.txt 2>&1); then echo "$$out"; \
	elif echo "$$out" | grep -q "^Name .*Version"; then echo "$$out"; exit 1; \
	else echo "pip-audit could not ask ($$(echo "$$out" | tail -n 1)): known holes were NOT looked for."; fi

.PHONY: clean
clean: ## Remove everything the targets made, what was recorded in the database of `make run` included
	@$(PYTHON) -m casino.local forget
	@TRAINING=1 $(PYTHON) -m casino.local forget
	@rm -rf $(VENV) .local
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help: ## Print this
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# The stamps are newer than the locks they were made from, so a second run installs nothing. A new run lock starts over.
$(VENV)/.run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is too old: Python 3.11 or newer is needed."; exit 1; }
	@[ ! -L $(VENV) ] || { echo "$(VENV) is a link: the environment it leads to would be emptied."; exit 1; }
	@echo "Installing what the program needs (once, about a minute) ..."
	@$(PYTHON) -m venv --without-pip --clear $(VENV)
	@$(INSTALL) --requirement requirements.txt
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements/test.txt
	@echo "Installing what the tests need ..."
	@$(INSTALL) --requirement requirements/test.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.test requirements/bench.txt
	@echo "Installing what the benchmarks need ..."
	@$(INSTALL) --requirement requirements/bench.txt
	@touch $@
