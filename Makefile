# streamgage: make measure, make test. Everything else that is needed, they do by themselves.

sources := $(shell find library engine streamgage apps/poisson -type f -not -path '*/__pycache__/*') \
           CMakeLists.txt pyproject.toml
.DEFAULT_GOAL := help

.PHONY: help
help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

.PHONY: measure
measure: .venv/installed ## Set up, build, and measure this machine's memory
	@.venv/bin/streamgage measure

.PHONY: test
test: .venv/test-tools .venv/installed ## Set up, build, and run the tests; takes about ten minutes
	@scripts/test test

.PHONY: lint
lint: .venv/test-tools ## Look at formats, types, imports and shell scripts; a minute at most
	@scripts/test lint

.PHONY: gate
gate: .venv/test-tools .venv/installed ## Run what CI runs: the tests, the linters, the site
	@scripts/test gate

.PHONY: check
check: .venv/check-tools .venv/installed ## Run the rest: sanitizers, other processors, linters ...
	@scripts/test check

.PHONY: test-cross
test-cross: .venv/check-tools ## Build for other processors and run every test there, emulated
	@scripts/test_cross

.PHONY: test-guests
test-guests: .venv/check-tools ## Run the engine in emulated machines: with a PMU, with NUMA nodes
	@scripts/test guest_pmu guest_numa

.PHONY: analyze
analyze: .venv/check-tools ## Follow the paths through the engine with clang's analyzer
	@scripts/test analyze

.PHONY: build
build: .venv/installed ## Set up and build: .venv/bin/streamgage, .venv/bin/streamgage-engine

.PHONY: bench
bench: .venv/installed ## Compare with likwid-bench and with plain OpenMP loops, paired in one run
	@scripts/bootstrap bench
	@scripts/bench

.PHONY: apps
apps: ## Build the programs to study beside STREAM: build/apps
	@$(MAKE) --no-print-directory -C apps

.PHONY: petsc
petsc: ## Build a current PETSc to study into ~/.cache/streamgage; takes some minutes
	@scripts/bootstrap petsc
	@scripts/build_petsc

.PHONY: schema
schema: .venv/installed ## Write the JSON Schemas into build/schema, to look at them
	@.venv/bin/python -m streamgage.manual.schema build/schema

.PHONY: manual
manual: .venv/installed ## Write the pages for man into build/man, to look at them
	@.venv/bin/python -m streamgage.manual build/man

.PHONY: docs
docs: .venv/test-tools .venv/installed ## Build the documentation as a site: build/site
	@scripts/docs

.PHONY: asm
asm: .venv/installed ## Show a kernel's machine code: KERNEL=triad ISA=avx512 STORE=streaming
	@python3 scripts/asm.py 'KERNEL=$(KERNEL)' 'ISA=$(ISA)' 'STORE=$(STORE)' 'TYPE=$(TYPE)' \
	  'STREAMS=$(STREAMS)' 'ALL=$(ALL)'

.PHONY: format
format: .venv/test-tools ## Format all sources
	@scripts/format

.PHONY: newest
newest: ## Take the newest versions from PyPI: writes constraints.txt
	@scripts/newest

.PHONY: clean
clean: ## Remove what was built and installed here
	@rm -rf build .venv

# In turn: tools first.
.NOTPARALLEL:

# Built and installed; made again when a source is newer.
.venv/installed: $(sources) scripts/bootstrap scripts/install
	@scripts/bootstrap build
	@scripts/install
	@touch $@

.venv/test-tools: requirements-dev.txt constraints.txt scripts/bootstrap scripts/environment.sh
	@scripts/bootstrap test
	@touch $@

# The engine is built again, for the MPIs that came with them.
.venv/check-tools: .venv/test-tools
	@scripts/bootstrap check
	@scripts/install
	@touch .venv/installed $@
