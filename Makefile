# make help lists the targets. Everything built lands in .build/, demo-output/, tests/cpp/build/ and tests/fuzz/build/.
SHELL := /bin/bash
LIBRARY := $(CURDIR)/.build/library
WITH_PACKAGE := R_LIBS="$(LIBRARY)$${R_LIBS:+:$$R_LIBS}"
DEPENDENCIES := .ci/install-dependencies
CORE_TESTS := $(MAKE) --no-print-directory -C tests/cpp -j2

# Files with tests that look at PNMF_SLOW_TESTS, as one pattern: "a|b"
SLOW_TESTS = $(shell grep -lE 'slow_tests|skip_unless_slow' tests/testthat/test-*.R | \
  sed -E 's@.*/test-(.*)\.R@^\1@' | paste -sd '|')

# Tests against the shared data find them here, and skip where there are none.
ifndef PNMF_SHARED
ifneq ($(wildcard ../shared),)
PNMF_SHARED := $(abspath ../shared)
endif
endif
ifdef PNMF_SHARED
export PNMF_SHARED
endif

.PHONY: help demo test test-slow install document check check-docs core-test core-test-asan core-test-tsan fuzz \
  test-sanitized mutate lint format coverage site check-bookworm check-trixie check-arm64 check-windows check-clang \
  check-slurm bioccheck clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z0-9 -]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 18

demo: ## install missing packages and run the demo; plots and a page go to demo-output/
	@$(DEPENDENCIES) run plotly
	@.ci/install-package
	@mkdir -p demo-output
	@$(WITH_PACKAGE) Rscript inst/demo/demo.R demo-output

test: ## install missing packages and run the tests (FILTER=stem for some)
	@$(DEPENDENCIES) test
	@.ci/install-package
	@$(WITH_PACKAGE) Rscript .ci/run-tests.R $(if $(FILTER),'$(FILTER)')

test-slow: ## run in full the tests that make test shortens or skips (FILTER=stem for some)
	@PNMF_SLOW_TESTS=true $(MAKE) --no-print-directory test FILTER='$(or $(FILTER),$(SLOW_TESTS))'

install: ## install the package into .build/library
	@$(DEPENDENCIES) run
	@.ci/install-package

document: ## write man/, NAMESPACE and RcppExports
	@$(DEPENDENCIES) run roxygen2
	@Rscript .ci/document.R

check: ## R CMD check; errors and warnings fail (VIGNETTES=no skips the vignettes)
	@$(DEPENDENCIES) test
	@.ci/check-package

check-docs: ## fail if man/, NAMESPACE or RcppExports are out of date
	@$(DEPENDENCIES) run roxygen2
	@.ci/check-docs

core-test: core-test-asan core-test-tsan ## C++ core tests under the sanitizers (FILTER=word for some)

core-test-asan core-test-tsan: core-test-%:
	@$(DEPENDENCIES) core
	@$(CORE_TESTS) $*

fuzz: ## libFuzzer on the reader of checkpoints, damaged tables for the GEO readers (SECONDS=60 each; needs clang)
	@$(DEPENDENCIES) run
	@$(MAKE) --no-print-directory -C tests/fuzz fuzz SECONDS=$(or $(SECONDS),60)
	@.ci/install-package
	@$(WITH_PACKAGE) Rscript tests/fuzz/geo_readers.R $(or $(SECONDS),60)

test-sanitized: ## R tests with the compiled code under AddressSanitizer and UBSan (FILTER=stem for some)
	@$(DEPENDENCIES) test
	@.ci/test-sanitized $(if $(FILTER),'$(FILTER)')

mutate: ## break one operator or constant at a time; a test must fail (MUTANTS=200 SEED=1, or MUTANTS=log: its survivors)
	@$(DEPENDENCIES) core testthat
	@.ci/install-package
	@.ci/copy-sources .build/mutants
	@$(MAKE) --no-print-directory -C .build/mutants/tests/cpp -j2 build/plain/core_tests
	@$(WITH_PACKAGE) Rscript .ci/mutate.R $(or $(MUTANTS),200) $(or $(SEED),1)

lint: ## R, C++ and shell style
	@$(DEPENDENCIES) run lintr
	@.ci/lint

format: ## format the C++ with .clang-format
	clang-format -i $$(find src tests/cpp tests/fuzz -name build -prune -o \( -name '*.h' -o -name '*.cpp' \) \
	  ! -name RcppExports.cpp -print)

coverage: ## line coverage of R and C++
	@$(DEPENDENCIES) test covr
	@.ci/copy-sources .build/coverage
	@Rscript .ci/coverage.R .build/coverage

site: ## the documentation as web pages in .build/site
	@$(DEPENDENCIES) test pkgdown
	@.ci/install-package
	@.ci/copy-sources .build/pages
	@$(WITH_PACKAGE) Rscript .ci/site.R .build/pages .build/site

check-windows: ## the core and its tests built for Windows by MinGW and run by wine (FILTER=word for some)
	@$(DEPENDENCIES) core
	@.ci/install-tools x86_64-w64-mingw32-g++-posix=g++-mingw-w64-x86-64-posix wine=wine wine=wine64
	@$(CORE_TESTS) windows

check-clang: ## the core and its tests built by clang with libc++ (FILTER=word for some)
	@$(DEPENDENCIES) core
	@.ci/install-tools clang++=clang /usr/include/c++/v1=libc++-dev /usr/include/c++/v1=libc++abi-dev
	@$(CORE_TESTS) clang

check-bookworm check-trixie: check-%: ## the tests inside that Debian release (root; GOALS="test check")
	@.ci/check-release $* $(GOALS)

check-arm64: ## the tests on emulated arm64, including golden values (FILTER=stem for some)
	@$(DEPENDENCIES) run
	@.ci/check-arm64 $(if $(FILTER),'$(FILTER)')

check-slurm: ## the job script for SLURM with MPI workers on a SLURM of one node (root)
	@$(DEPENDENCIES) test
	@.ci/install-tools munged=munge slurmctld=slurmctld slurmd=slurmd sbatch=slurm-client
	@.ci/install-package
	@.ci/check-slurm

bioccheck: ## Bioconductor's own check
	@$(DEPENDENCIES) test BiocCheck
	@.ci/bioccheck

clean: ## remove all build output
	rm -rf .build demo-output tests/cpp/build tests/fuzz/build src/*.o src/*.so src/pnmf/*/*.o
