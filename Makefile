# Everything a person types. `make help` lists it.

# Bytecode makes every start twice as fast; some machines, containers above all, forbid Python to keep it.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
PYTHON := $(VENV)/bin/python
PORT ?= 8000
# Of `make fuzz`: what is drawn, and for how long.
SEED ?= 1
FUZZ_SECONDS ?= 600
# The first of these that starts and is new enough; choose another with `make up PYTHON3=/path/to/python`.
PYTHON3 := $(or $(PYTHON3),$(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done))
# Vulnerabilities that do not reach Sluice: --ignore-vuln ID, each below its reason and the day to look again. None on 2026-11-23.
AUDIT_EXCEPTIONS :=

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev up demo cluster test nightly check audit fuzz format bench clean

help: ## List these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: ## Make .venv with what Sluice needs to run
	@$(call bootstrap,requirements.txt)

setup-dev: ## Make .venv with what the tests need, too
	@$(call bootstrap,requirements-dev.txt)

up: setup ## Start everything, run the worked example, serve until Ctrl-C
	@exec $(PYTHON) -m planner.runtime up --port $(PORT)

demo: setup ## Start everything, run the worked example, and end
	@exec $(PYTHON) -m planner.runtime demo --port $(PORT)

cluster: setup ## Like up, but with PostgreSQL and a Spark cluster of two workers, as in docker/compose.yaml
	@exec $(PYTHON) -m planner.runtime cluster --port $(PORT)

test: setup-dev ## Run the tests: real Redis, PostgreSQL, Spark and Chromium
	@$(PYTHON) -m tests.machine
	@$(PYTHON) -m pytest -n 4 --dist loadfile --no-loadscope-reorder

nightly: ## Run all tests, those that wait for the night too, and thousands of new examples for property tests
	@NIGHTLY=1 $(MAKE) test

check: setup-dev ## Format, lint, types, import rules, Django's checks, migrations, generated docs
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/bandit --quiet --configfile pyproject.toml --recursive simulations planner frontend
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PYTHON) manage.py check
	PUBLIC_URL=https://sluice.example.org $(PYTHON) manage.py check --deploy --fail-level WARNING
	$(PYTHON) manage.py makemigrations --check --dry-run
	$(PYTHON) -m docs.generate --check

audit: setup ## Ask the public database of vulnerabilities about the packages that run Sluice; needs the network
	@$(PYTHON) -m uv tool run pip-audit==2.10.1 --requirement requirements.txt --disable-pip --no-deps $(AUDIT_EXCEPTIONS)

fuzz: setup ## Draw requests from the OpenAPI document for a running installation: make fuzz TOKEN=slc_… (all scopes)
	@$(PYTHON) -m uv tool run schemathesis==4.32.5 run http://localhost:$(PORT)/api/v1/openapi.json \
	    --header 'Authorization: Bearer $(TOKEN)' --seed $(SEED) --max-time $(FUZZ_SECONDS) --phases coverage,fuzzing \
	    --checks not_a_server_error,content_type_conformance,response_schema_conformance,response_headers_conformance,status_code_conformance \
	    --exclude-path-regex 'tokens|service-accounts|hand-overs|/events|metrics' --continue-on-failure

format: setup-dev ## Put the code into its one format
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

bench: setup-dev ## Measure against named peers and limits
	@for file in benchmarks/*.py; do echo "== $$file"; PYTHONPATH=. $(PYTHON) $$file || exit 1; done

clean: ## Remove .venv; the data in var/ stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

define bootstrap
if [ -z "$(PYTHON3)" ]; then \
	echo "Sluice needs Python 3.11 or newer, and none is on the PATH. Install one, or name it: make up PYTHON3=/path/to/python3"; \
	exit 1; \
fi; \
if ! $(PYTHON3) -c '' 2>/dev/null; then \
	echo "$(PYTHON3) is not a Python that starts. Name one of version 3.11 or newer: make up PYTHON3=/path/to/python3"; \
	exit 1; \
fi; \
$(PYTHON3) planner/runtime/bootstrap.py $(VENV) $(1)
endef
