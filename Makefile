PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-long check generate bench lock clean

help: ## Say what each target does
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup: ## Make .venv with everything in it, and the page's packages; at once when nothing has changed
	@.ci/setup

demo: setup ## Run the service on a simulated catalog with a local model, and print the page's address
	@.venv/bin/safelight demo

test: setup ## Run the tests, in at most 15 minutes
	@echo "test: Python"
	@$(PY) -m pytest -q -m "not long"
	@if [ -e ui/node_modules/.setup-stamp ]; then echo "test: the page"; npm --prefix ui run --silent test; \
	else echo "test: the page's own tests need Node.js 20.19 or later"; fi

test-long: setup ## Run all tests: every crash, 1,000 examples a property, a million photos
	@$(PY) -m pytest --hypothesis-profile=long

check: setup ## Format, lint, types, generated files, import rules
	@.ci/check

generate: setup ## Write what is derived from the contract, and the page
	@$(PY) contract/generate
	@npm --prefix ui run --silent generate
	@npm --prefix ui run --silent build

bench: setup ## Measure, and write tests/bench/results.json
	@$(PY) -m tests.bench

lock: ## Resolve requirements.lock anew from pyproject.toml and client/pyproject.toml
	@.ci/lock

clean: ## Remove .venv, the page's packages and every cache
	rm -rf .venv ui/node_modules dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache tests/output
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
