# Everything a person or a machine does with this tree. `make help` lists it.
# After `make setup` no target needs the network, but for `make bench`, which installs its peers once.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# One scratch path per configuration, so that none rebuilds another's work.
# The plain debug build keeps SwiftPM's own default, .build, so that `swift test` by hand shares it.
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
CRASH_KILLS ?= 1000
export JOBS FUZZ_SECONDS

SWIFT_PATHS := Sources Tests Examples Benchmarks Fuzz migrations Package.swift

# What a release is, built anew where a source is newer: as root, `make install` then builds nothing after `make release`.
PREFIX ?= /usr/local
PROGRAMS := .build/bin/restored .build/bin/restorectl
$(PROGRAMS) &: $(shell find Sources migrations -type f) Package.swift
	@scripts/setup.sh
	@scripts/release.sh

.PHONY: help setup build release lint format test test-release sanitize crash faults fuzz bench bench-hostile bench-systemd demo install uninstall clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup: ## install what building and testing need; does nothing where all is there
	@scripts/setup.sh

build: setup ## debug build
	swift build -j $(JOBS)

release: setup ## .build/bin/restored (no Swift to install) and .build/bin/restorectl (one static file)
	@scripts/release.sh

lint: ## formatting, file and function length, unfinished work, shell scripts
	swift format lint --strict --parallel -r $(SWIFT_PATHS)
	@scripts/lint.sh

format: ## put every Swift file into the house format
	swift format --in-place --parallel -r $(SWIFT_PATHS)

test: setup ## all tests, those against other people's clients too (FILTER=regex for some)
	@scripts/test.sh

test-release: setup ## all tests once more, with the programs that are shipped (FILTER=regex for some)
	@scripts/test-release.sh

sanitize: setup ## all tests under the thread sanitizer, then the address sanitizer (SANITIZER=thread or address for one)
	@scripts/sanitize.sh

crash: build ## kill the daemon CRASH_KILLS (1000) times under load, and look each time whether anything is lost
	.build/debug/crash-harness --kills $(CRASH_KILLS)

faults: setup ## power lost at every sync in many ways, every call to the disk failing, 10,000 saves of 100 KB
	RESTORED_LONG=1 swift test --disable-xctest -j $(JOBS) \
	  --filter 'RestoreStoreTests\.(PowerLossTests|FaultTests|FailedSyncTests|GrowthTests|BrokenOffErasureTests)'

fuzz: setup ## every fuzz target for FUZZ_SECONDS (60) each, after all earlier findings
	@scripts/fuzz.sh

bench: setup ## measure beside Redis, SQLite, files and dconf in one run; writes .build/bench/results.md
	@Benchmarks/bench.sh

bench-hostile: setup ## measure how a peer fares while others attack; writes .build/bench/hostile.md
	@Benchmarks/hostile.sh

bench-systemd: $(PROGRAMS) ## measure starts under systemd beside a minimal C service (needs root and cgroup2)
	@Benchmarks/systemd.sh

install: $(PROGRAMS) ## put a release under PREFIX (/usr/local), staged in DESTDIR; docs/PACKAGING.md
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install.sh install

uninstall: ## take away what install put there
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install.sh uninstall

demo: build ## see the main job done by the real programs in a temporary folder
	@scripts/demo.sh

clean: ## remove all that was built
	rm -rf .build
