# Thin on purpose: each target is what you would type yourself. `make help` lists them.
GO ?= go
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT := $(shell git rev-parse HEAD 2>/dev/null)
CLI := github.com/iotrace/iotrace/cmd/iotrace/internal/cli
# Programs that check are built once.
TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/iotrace-tools
LINT := $(TOOLS)/golangci-lint-v2.15.0
TARGETS ?= demo test

.PHONY: build demo test test-unit test-root test-recorder test-corpus race race-unit race-root race-quick test-dtrace test-browser test-engines test-clickhouse test-fresh bench bench-storm bench-gap bench-baselines bench-whatif bench-mends bench-try bench-sql verdicts fuzz kernels test-kernels profile generate testdata cross lint spell vulnerabilities release test-release clean help

# -w without -s: tracer/ignored.go reads the symbol table. Our own packages are compiled by where they spend their time
# (make profile), which takes an eighth off the analysis; -pgo would compile all others once more as well.
build: ## build ./iotrace (needs only Go)
	CGO_ENABLED=0 $(GO) build -trimpath -gcflags=github.com/iotrace/iotrace/...=-pgoprofile=cmd/iotrace/iotrace.pprof -ldflags "-w -X $(CLI).version=$(VERSION) -X $(CLI).commit=$(COMMIT)" -o iotrace ./cmd/iotrace

demo: build ## write 1 GiB, record a cp of it, print the summary, write demo.html
	mkdir -p demo/to
	head -c 1073741824 /dev/urandom > demo/file
	sync demo/file && $(SUDO) sh -c 'echo 1 > /proc/sys/vm/drop_caches'
	$(SUDO) ./iotrace record -f -o demo.iotrace -- cp demo/file demo/to/
	./iotrace report -f -o demo.html demo.iotrace
	rm -r demo
	@echo "open demo.html"

test: ## install what the tests need, run them all, and say what took how long
	./scripts/times test-unit test-recorder test-corpus test-browser

# The packages whose tests also record for real. Root runs them once, by themselves; everyone else runs their other tests with the rest.
RECORDER := ./tracer/... ./cmd/... ./baseline/...
CORPUS := ./internal/corpus
UNPRIVILEGED = $(if $(SUDO),./...,$(shell $(GO) list ./... | grep -vxF "$$($(GO) list $(RECORDER) $(CORPUS))"))
AS_ROOT = $(if $(SUDO),-exec 'sudo -E')

test-unit: ## tests that need no privilege
	./scripts/install-test-deps
	$(GO) vet ./...
	$(GO) test $(UNPRIVILEGED)

test-root: test-recorder test-corpus ## tests that load probes, mount file systems and attach loop devices

test-recorder: ## those of the recorder and the benchmarks
	./scripts/install-test-deps
	$(SUDO) ./scripts/dtrace-sid --setup
	$(GO) test -count=1 -p 1 -timeout 30m $(AS_ROOT) $(RECORDER)

test-corpus: ## those that record real programs and check what is said of them
	./scripts/install-test-deps
	$(GO) test -count=1 -timeout 45m $(AS_ROOT) $(CORPUS)

race: race-unit race-root ## the race detector over the tests (gcc)

race-unit: ## over those that need no privilege
	./scripts/install-test-deps
	$(GO) test -race -timeout 30m $(UNPRIVILEGED)

race-root: ## over the recorder's, as root; the corpus runs a program of its own, which is built without it
	./scripts/install-test-deps
	$(SUDO) ./scripts/dtrace-sid --setup
	$(GO) test -race -count=1 -p 1 -timeout 60m $(AS_ROOT) $(RECORDER)

# Where goroutines of ours run: what reads ahead, analyses in chains, draws progress, waits for signals, serves and copies.
# Without the tests that damage a trace byte by byte, and the inputs of fuzz targets: minutes in one goroutine.
RACED := ./analyzer ./trace/tracefile ./convert/conversion ./report/page ./replay ./cmd/iotrace/internal/cli \
	./internal/output ./internal/rights ./internal/uring ./tracer ./tracer/dtrace ./tracer/fsusage ./tracer/strace
ONE_GOROUTINE := ^Fuzz|FlippedBytes|Hostile|InputErrors|DamagedIndex|Truncated|MissingFrames

race-quick: ## over the packages in which goroutines run; some minutes
	./scripts/install-test-deps
	$(GO) test -race -timeout 30m -skip '$(ONE_GOROUTINE)' $(AS_ROOT) $(RACED)

test-dtrace: ## the D scripts under DTrace 2.x, compared with the eBPF backend; makes a directory with Debian sid, once
	./scripts/install-test-deps
	$(SUDO) ./scripts/dtrace-sid --setup
	IOTRACE_DTRACE=$(CURDIR)/scripts/dtrace-sid $(GO) test -count=1 -p 1 -timeout 10m -v -run RealDTrace $(AS_ROOT) ./tracer/dtrace ./tracer/backends ./cmd/iotrace

test-browser: ## the HTML report in headless Chromium
	./scripts/install-test-deps
	cd report/browsertest && $(GO) test -count=1 -timeout 30m ./...

test-engines: ## ask ClickHouse and Spark (1.4 GB from PyPI) what docs/sql.md asks, beside DuckDB
	./scripts/install-test-deps --engines
	$(GO) test -count=1 -timeout 20m -run 'Engines|Bucket' -v ./convert/tables -engines

test-clickhouse: ## ask ClickHouse alone (chdb from PyPI) what docs/sql.md asks; a minute, with the installation
	./scripts/install-test-deps --clickhouse
	$(GO) test -count=1 -timeout 10m -run 'TestEngines/clickhouse|TestBucket/clickhouse' -v ./convert/tables -engines

test-fresh: ## make TARGETS (demo and test) in a Debian that has only Go, apt and make; fails if anything is left behind (root)
	$(SUDO) env "PATH=$$PATH" IOTRACE_SCREENS=$(IOTRACE_SCREENS) ./scripts/test-fresh $(TARGETS)

bench: build ## measure the recorder against its peers; writes the part of this kind of machine in docs/performance.md
	./scripts/install-test-deps
	$(SUDO) $(GO) run ./internal/bench recorder -o docs/performance.md

bench-storm: ## account for what a recorded call costs, step by step; writes its part of docs/performance-storm.md (root, 5 minutes)
	./scripts/install-test-deps
	$(GO) build -o measure ./internal/bench
	$(SUDO) ./measure storm -o docs/performance-storm.md; status=$$?; rm -f measure; exit $$status

bench-gap: build ## check explanations and replays against known truth; half an hour on the disk of this directory (root)
	$(SUDO) $(GO) run ./internal/bench gap
	$(SUDO) $(GO) run ./internal/bench gap -only replay

bench-sql: ## ask engines what docs/sql.md asks, of 1000 hosts and 10^8 events (an hour, in /var/tmp); writes docs/performance-sql.md
	./scripts/install-test-deps --engines
	$(GO) run ./internal/bench fleet -o docs/performance-sql.md

bench-whatif: build ## check what whatif predicts against the same programs on other devices (root, 25 minutes)
	$(GO) build -o measure ./internal/bench
	$(SUDO) ./measure whatif -runs 2 record predictions.d && ./measure whatif judge predictions.d; status=$$?; \
		$(SUDO) rm -rf measure predictions.d; exit $$status

bench-mends: build ## check what whatif predicts, and what diff says, against mends that are really made (root, 20 minutes)
	$(GO) build -o measure ./internal/bench
	$(SUDO) ./measure mends record mends.d && ./measure mends -v judge mends.d && ./measure mends diff mends.d; status=$$?; $(SUDO) rm -rf measure mends.d; exit $$status

bench-try: build ## check the ranking of whatif --try methods against cp and dd (root, 6 minutes)
	$(GO) build -o measure ./internal/bench
	$(SUDO) ./measure try /var/tmp; status=$$?; rm -f measure; exit $$status

verdicts: ## impose over 200 causes, in two sizes and beside noise, and check what show says; writes docs/verification.md (root, some 70 minutes)
	./scripts/install-test-deps
	$(GO) test -count=1 -timeout 2h -run "TestVerdicts|TestCleanRuns|TestMountOptions|TestKinds|TestVolatile" $(AS_ROOT) $(CORPUS) -every -page $(CURDIR)/docs/verification.md

bench-baselines: build ## compare `bench` with fio and with throttled devices; writes docs/performance-baselines.md
	./scripts/install-test-deps
	$(SUDO) $(GO) run ./internal/bench baselines -o docs/performance-baselines.md

fuzz: ## fuzz every decoder for an hour each; scripts/fuzz takes another time, and a pattern
	./scripts/fuzz 1h

kernels: ## boot other kernels in QEMU and compare what is recorded there; writes docs/kernels.md (20 minutes)
	./scripts/install-test-deps --kernels
	$(GO) run ./internal/kernels -o docs/kernels.md

test-kernels: ## the same on three of them, the oldest among them and the newest, and a client of NFS and SMB beside its server, without what cannot be fetched
	./scripts/install-test-deps --kernels || echo "test-kernels: not all packages could be installed" >&2
	$(GO) run ./internal/kernels -lenient -pair newest 5.10 newest newest-arm64

profile: ## find out again where iotrace spends its time, for the compiler; writes cmd/iotrace/iotrace.pprof (root, 2 minutes)
	./scripts/install-test-deps
	$(GO) build -o measure ./internal/bench
	$(SUDO) ./measure profile; status=$$?; rm -f measure; exit $$status

generate: ## rebuild the BPF objects (clang-19, libbpf-dev) for amd64 and arm64, and pack the scripts of pages
	$(GO) generate ./tracer/ebpf ./report/page

testdata: build ## record what is in testdata/ again (root), and rewrite what is said of it
	$(SUDO) ./scripts/record-testdata ./iotrace
	$(GO) run ./internal/tools mac testdata/mac.iotrace
	$(GO) test ./cmd/iotrace -run Recordings -update

cross: ## build and vet for the other platforms, tests included
	for t in darwin/arm64 darwin/amd64 linux/arm64; do \
		GOOS=$${t%/*} GOARCH=$${t#*/} CGO_ENABLED=0 $(GO) build ./... && \
		GOOS=$${t%/*} GOARCH=$${t#*/} CGO_ENABLED=0 $(GO) vet ./... || exit 1; done

$(LINT):
	GOBIN=$(TOOLS)/new $(GO) install github.com/golangci/golangci-lint/v2/cmd/$(subst -v,@v,$(@F))
	mv $(TOOLS)/new/golangci-lint $@

lint: $(LINT) ## golangci-lint, functions that no program calls, and the format of the C (clang-format from PyPI)
	$(LINT) run --allow-parallel-runners ./...
	./scripts/unused
	./scripts/format-c

spell: ## look for misspelt words (codespell from PyPI)
	./scripts/spell

vulnerabilities: ## look for known ones in what the programs call (asks Go's database)
	./scripts/vulnerabilities

release: ## archives, packages, descriptions for packagers, SBOM and sums in dist/: make release VERSION=v0.9.0
	./scripts/release $(VERSION)

test-release: ## make one twice, compare byte for byte, install and remove its packages in a fresh Debian and Ubuntu (root)
	$(SUDO) env "PATH=$$PATH" ./scripts/test-release

clean:
	rm -rf iotrace dist demo demo.html demo.iotrace

help:
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14
