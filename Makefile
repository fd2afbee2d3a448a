# The targets that people and CI run. Each builds .venv first when it is missing or older than the lock.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
# TREE=DIR      tree for `make demo`, instead of the one that it builds
# ARGS='...'    further arguments for the program behind test, coverage, run, demo, bench and lock
TREE ?=
ARGS ?=

VENV := .venv
STAMP := $(VENV)/.installed

.PHONY: help setup demo run test coverage check lint types bench docs lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## make .venv with the locked dependencies and this project
	@echo ".venv is ready: $$($(VENV)/bin/python --version)"

$(STAMP): requirements/dev.txt pyproject.toml scripts/setup.sh
	@scripts/setup.sh "$(PYTHON)"
	@touch $@

demo: $(STAMP) ## the whole road on this machine: pull request, webhook, check run (TREE=DIR: on that tree)
	@$(VENV)/bin/python -m demo $(if $(TREE),--tree "$(TREE)") $(ARGS)

run: $(STAMP) ## start the service with the settings of the environment or .env
	@$(VENV)/bin/submission-bot serve $(ARGS)

test: $(STAMP) ## run the tests, starting what they need (ARGS='tests/checks -k name')
	@scripts/test.sh $(ARGS)

coverage: $(STAMP) ## run the tests and show which lines they never reach
	@scripts/test.sh --cov --cov-report=term $(ARGS)

lint: $(STAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(STAMP)
	$(VENV)/bin/mypy

check: lint types test ## everything that CI judges: ruff, mypy --strict, the tests

bench: $(STAMP) ## measure
	@$(VENV)/bin/python -m bench $(ARGS)

docs: $(STAMP) ## make the rules' pages in docs/rules anew from the registry
	@$(VENV)/bin/python -m checks.formats.rule_pages docs/rules

lock: ## resolve the dependencies anew into requirements/ (ARGS=--upgrade: to the newest)
	@scripts/lock.sh $(ARGS)

clean: ## remove .venv and everything that tools left behind
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
