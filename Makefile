# streamgage: make measure, make test. Everything else that is needed, they do by themselves.

sources := $(shell find library engine streamgage cloud apps/poisson -type f -not -path '*/__pycache__/*') \
           CMakeLists.txt pyproject.toml
# What reads every declaration and every kind of result, in seconds.
quick := tests/unit/test_layering.py tests/unit/test_contract.py tests/unit/test_schema.py \
         tests/unit/test_cases.py tests/unit/test_findings.py tests/unit/test_explanations.py
.DEFAULT_GOAL := help

.PHONY: help
help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

.PHONY: measure
measure: .venv/installed ## Set up, build, and measure this machine's memory
	@.venv/bin/streamgage measure

.PHONY: dev
dev: .venv/test-tools .venv/installed ## Set up and build for a first change, and run the quickest tests
	@.venv/bin/python -m pytest -q $(quick)
	@echo 'streamgage: ready. The first hour: CONTRIBUTING.md'

.PHONY: test
test: .venv/test-tools .venv/installed ## Set up, build, and run the tests; takes about ten minutes
	@scripts/test test

.PHONY: lint
lint: .venv/lint-tools ## Look at formats, types, imports and shell scripts; a minute at most
	@scripts/test lint

.PHONY: gate
gate: unchecked .venv/lint-tools .venv/installed ## Run what CI runs: the tests, the linters, the site
	@scripts/test gate

# What of `make check` has failed or waits, before anything else.
.PHONY: unchecked
unchecked:
	@! command -v python3 >/dev/null || python3 scripts/test unchecked

.PHONY: check
check: .venv/check-tools .venv/installed ## Run the rest: sanitizers, other processors, linters ...
	@scripts/test check

.PHONY: test-cross
test-cross: .venv/check-tools ## Build for other processors and run every test there, emulated
	@scripts/test_cross

.PHONY: test-guests
test-guests: .venv/check-tools ## Run the engine in emulated machines: with a PMU, with NUMA nodes
	@scripts/test guest_pmu guest_numa guest_memory

.PHONY: analyze
analyze: .venv/check-tools ## Follow the paths through the engine with clang's analyzer
	@scripts/test analyze

.PHONY: build
build: .venv/installed ## Set up and build: .venv/bin/streamgage, .venv/bin/streamgage-engine

.PHONY: engine
engine: ## Build the engine as one file for any Linux: build/streamgage-engine; ARCH=aarch64 ...
	@scripts/bootstrap build
	@scripts/portable engine $(ARCH)

.PHONY: wheel
wheel: ## Build wheels that need no compiler: build/wheels/*.whl, for x86_64 and aarch64
	@scripts/bootstrap wheel
	@scripts/portable wheel

.PHONY: release
release: ## Build all that a release has, twice, into build/release; DRY=1 says what stands against it and goes on
	@scripts/bootstrap release
	@.venv/bin/python scripts/release $(if $(DRY),--dry-run)

.PHONY: bench
bench: .venv/installed ## Compare with likwid-bench and with plain OpenMP loops, paired in one run
	@scripts/bootstrap bench
	@scripts/bench

.PHONY: spoiled
spoiled: .venv/installed ## Spoil runs in every known way and see what is said; takes ten minutes
	@.venv/bin/python tests/spoiled/spoiled_runs.py

.PHONY: windows
windows: .venv/installed ## Measure next to loads of every kind, against the idle machine; 40 minutes
	@.venv/bin/python tests/spoiled/quiet_windows.py

.PHONY: verdicts
verdicts: .venv/installed ## Measure 30 times quiet and 30 times next to loads: no verdict may contradict another
	@.venv/bin/python tests/spoiled/agreeing_verdicts.py

.PHONY: slow-nodes
slow-nodes: .venv/installed ## Slow two nodes of a real Slurm and see whether they are named; as root
	@.venv/bin/python tests/spoiled/slow_nodes.py

.PHONY: coverage
coverage: .venv/installed ## See how often intervals hold the median of many runs; takes 25 minutes
	@.venv/bin/python tests/spoiled/coverage_of_intervals.py

.PHONY: recipes
recipes: ## Write the recipes for Spack, conda, Debian ... into build/packaging
	@python3 scripts/recipes.py build/packaging

.PHONY: apps
apps: ## Build programs to run next to STREAM: build/apps
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
format: .venv/lint-tools ## Format all sources
	@scripts/format

.PHONY: newest
newest: ## Take the newest versions from PyPI: writes constraints.txt
	@scripts/newest

.PHONY: clean
clean: ## Remove what was built and installed here
	@rm -rf build .venv

# In turn: tools first.
.NOTPARALLEL:

# Built and installed; made again when a source is newer and differs.
.venv/installed: $(sources) scripts/bootstrap scripts/install
	@sha256sum $^ | cmp -s - $@ || \
	  { scripts/bootstrap build && scripts/install && sha256sum $^ >$@; }
	@touch $@

# Nothing makes them: without this, make looks for a rule for each, which takes a third of a second.
$(sources): ;

.venv/test-tools: requirements-dev.txt requirements-wheel.txt constraints.txt scripts/bootstrap \
    scripts/environment.sh
	@scripts/bootstrap test
	@touch $@

.venv/lint-tools: .venv/test-tools
	@scripts/bootstrap packages lint
	@touch $@

.venv/check-tools: .venv/lint-tools requirements-mpi.txt
	@scripts/bootstrap check
	@touch $@
