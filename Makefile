# SPDX-License-Identifier: Apache-2.0
# Shortcuts for common commands; CMakePresets.json has the details.

JOBS     ?= $(shell nproc)
PREFIX   ?= /usr/local
SECONDS  ?= 60
PROGRAM  := build/release/sibyl
PACKAGES := build/packages
VERSION   = $(shell $(PROGRAM) version | cut -d ' ' -f 2)
BUNDLE    = $(PACKAGES)/sibyl-$(VERSION)-linux-x86_64.tar.gz
SOURCES   = $(shell find src tests fuzz bench packaging -path tests/transcripts/files -prune -o \( -name '*.h' -o -name '*.cc' \) -print)
SCRIPTS  := scripts/setup scripts/check scripts/tidy scripts/tidy-newest scripts/demo \
            scripts/compare-cuobjdump scripts/action bench/inspect_peers.sh .ci/run fuzz/run.sh \
            tests/browser/run.sh tests/mcp/run.sh tests/lsp/run.sh

.DEFAULT_GOAL := help
.PHONY: help setup build demo test check install package bundle wheel npm image packages bench labs \
        fuzz lint tidy format check-format check-scripts clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the Debian packages that are missing
	@scripts/setup

build: ## build the program: build/release/sibyl
	@scripts/setup build
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(JOBS) --target sibyl

demo: build ## see it work: plans, and oracles with pinned sources
	@scripts/demo

test: setup ## build the program and run all its tests
	@scripts/check test

check: setup ## what else CI checks: sanitizers, fuzzers, clang-tidy
	@scripts/check rest

install: build ## install under PREFIX (default /usr/local), honouring DESTDIR
	cmake --install build/release --prefix $(PREFIX)

package: setup build ## make a .deb in build/release
	@cmake --build --preset release -j $(JOBS) --target installables
	@packaging/deb.py build/release build/release

bundle: build ## make a tar.gz that runs on any Linux, in build/packages
	@packaging/bundle.py $(PROGRAM) $(PACKAGES)

wheel: bundle ## make a Python wheel from the bundle
	@packaging/wheel.py $(BUNDLE) $(PACKAGES)

npm: bundle ## make an npm package from the bundle
	@packaging/npm.py $(BUNDLE) $(PACKAGES)

image: bundle ## make a container image from the bundle
	@packaging/image.py $(BUNDLE) $(PACKAGES)

packages: wheel npm image package ## make all packages, their SBOM and SHA256SUMS
	@cp build/release/*.deb $(PACKAGES)/
	@packaging/sbom.py $(BUNDLE) > $(PACKAGES)/sbom.spdx.json
	@cd $(PACKAGES) && rm -f SHA256SUMS && sha256sum -- * > ../SHA256SUMS && mv ../SHA256SUMS .

bench: setup ## build and run the benchmarks
	@cmake --preset bench > /dev/null
	@cmake --build --preset bench -j $(JOBS)
	@for program in build/bench/bench/*_bench; do \
	  if [ -x "$$program" ]; then echo "== $$program"; "$$program" || exit 1; fi; done

labs: setup ## build the labs (needs nvcc), run their tests that need no GPU
	@cmake -S labs -B build/labs -G Ninja > /dev/null
	@cmake --build build/labs -j $(JOBS)
	@ctest --test-dir build/labs --output-on-failure

fuzz: setup ## run every fuzzer for SECONDS (default 60) each
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz -j $(JOBS) --target fuzzers
	@SIBYL_FUZZ_SECONDS=$(SECONDS) ctest --test-dir build/fuzz -L fuzz --output-on-failure

lint: setup check-format check-scripts tidy ## format, shell scripts and clang-tidy

tidy: ## clang-tidy on all files
	@cmake --preset clang > /dev/null
	@cmake --build --preset clang -j $(JOBS) --target tidy -- --quiet -k 0

check-format: ## check the format of all sources
	@clang-format --dry-run -Werror $(SOURCES)

check-scripts: ## check the shell scripts
	@shellcheck $(SCRIPTS)

format: ## reformat all sources with clang-format
	@clang-format -i $(SOURCES)

clean: ## remove everything that was built
	rm -rf build
