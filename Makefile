# Builds, runs and checks Parley on Debian 12 with a Swift 6.2 or newer toolchain. `make help` lists the targets.

# What the package links against, beyond what comes with the Swift toolchain.
PACKAGES := pkg-config libssl-dev libsqlite3-dev libcmark-gfm-dev libgumbo-dev zlib1g-dev libvips42

# What the tests of the pages drive.
BROWSER_PACKAGES := chromium chromium-driver python3-selenium curl

# What kills the server, makes disks fail, and knows the time elsewhere.
CHECK_PACKAGES := python3 gcc libc6-dev tzdata

# What the benchmark measures beside the server, and what it is made with.
BENCH_PACKAGES := python3 gcc libc6-dev libssl-dev libsqlite3-dev nginx-light

# Extra flags of `parley serve` for `make run`, for example ARGS="--port 9000", or of the benchmarks.
ARGS :=

.DEFAULT_GOAL := help
.PHONY: help deps browser build run test test-browser check-tools check lint format fuzz \
    bench-tools bench bench-growth bench-hour

help: ## lists the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

# Installs those Debian packages of a list that are missing, naming them first.
define install
@missing=; \
for package in $(1); do \
    status=$$(dpkg-query -W -f='$${db:Status-Status}' $$package 2>/dev/null) || status=; \
    [ "$$status" = installed ] || missing="$$missing $$package"; \
done; \
[ -n "$$missing" ] || exit 0; \
echo "Installing:$$missing"; \
become=; [ "$$(id -u)" = 0 ] || become=sudo; \
$$become apt-get update -q && \
$$become env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing
endef

deps: ## installs the Debian packages that are missing, naming them first
	$(call install,$(PACKAGES))

browser: ## installs the browser for test-browser
	$(call install,$(BROWSER_PACKAGES))

check-tools: ## installs what check needs besides
	$(call install,$(CHECK_PACKAGES))

build: deps ## builds .build/release/parley
	swift build -c release --product parley --static-swift-stdlib

run: build ## builds and serves; ARGS="--port 9000" passes flags on
	.build/release/parley serve $(ARGS)

test: deps ## builds and runs all tests
	swift build --build-tests
	swift test --parallel --skip-build

test-browser: deps browser ## tries the pages in a headless Chromium
	swift build --product parley
	Tests/Browser/run .build/debug/parley

KILLS := 500
check: build check-tools ## proves that nothing is lost, and more that takes longer than tests may; KILLS=50 is shorter
	Tests/check $(KILLS)

# nginx comes with a site on port 80 that starts by itself when it is installed; that one is not wanted.
bench-tools: ## installs what bench needs besides
	@command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || touch .nginx-is-new
	$(call install,$(filter-out $(if $(wildcard /usr/sbin/nginx),nginx-light),$(BENCH_PACKAGES)))
	@if [ -e .nginx-is-new ]; then rm .nginx-is-new; \
	    become=; [ "$$(id -u)" = 0 ] || become=sudo; \
	    $$become service nginx stop || true; $$become update-rc.d nginx disable || true; fi

bench: build bench-tools ## measures it beside nginx, SQLite and a floor in C (20 minutes); ARGS="--quick" or "--only hot"
	Tests/Bench/run .build/release/parley $(ARGS)

bench-growth: build bench-tools ## measures how costs grow, and draws a chart
	Tests/Bench/growth .build/release/parley --chart Tests/Bench/growth.svg $(ARGS)

bench-hour: build bench-tools ## watches the memory for an hour of mixed load; ARGS="--minutes 10" is shorter
	Tests/Bench/hour .build/release/parley $(ARGS)

lint: ## checks format and sizes
	swift format lint --strict --recursive --parallel --configuration .swift-format Package.swift Sources Tests
	Tests/check-sizes Sources Tests

format: ## puts the sources into the house format
	swift format --in-place --recursive --parallel --configuration .swift-format Package.swift Sources Tests

SECONDS := 60
NAME :=
fuzz: deps check-tools ## fuzzes the parsers, a minute of CPU time each; NAME="HTTP1 JSON" is not all, SECONDS=1800 is longer
	SECONDS=$(SECONDS) Tests/FuzzTests/fuzz $(NAME)
