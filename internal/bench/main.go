//go:build linux

// Command bench makes the measurements that the documents quote, each by a
// command of its own. Sides of a comparison take turns within one session, so
// that the machine's drift hits them alike. Run it at the top of the tree; most
// commands need root.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer"
)

// measurement is one command: it reads flags and arguments of its own.
type measurement struct {
	name, usage string
	run         func() error
}

var measurements = []measurement{
	{"recorder", "what recording costs, against the peers that are installed: docs/performance.md", benchRecorder},
	{"storm", "what a recorded call costs, step by step (needs clang-19): docs/performance-storm.md", benchStorm},
	{"baselines", "the load generator of iotrace bench against fio and known devices: docs/performance-baselines.md",
		benchBaselines},
	{"fleet", "what SQL to the traces of many hosts costs: docs/performance-sql.md", benchFleet},
	{"gap", "explanations of iotrace gap against workloads that are slow for one known reason", benchGap},
	{"whatif", "record DIR, then judge DIR: predictions of whatif against the same programs elsewhere", benchWhatif},
	{"mends", "record DIR, then judge DIR and diff DIR: predictions and diffs against mends really made", benchMends},
	{"try", "DIR: the ranking of iotrace whatif --try methods against programs that copy by them", benchTry},
	{"profile", "where iotrace spends its time, for the compiler: cmd/iotrace/iotrace.pprof (needs fio)", benchProfile},
}

func main() {
	testenv.Serving()
	tracer.RunHeld()
	asWorkload()
	if len(os.Args) < 2 {
		usage()
	}
	for _, c := range measurements {
		if c.name == os.Args[1] {
			os.Args = os.Args[1:]
			flag.Usage = func() { fmt.Fprintf(os.Stderr, "bench %s: %s\n", c.name, c.usage); flag.PrintDefaults() }
			c.end(c.run())
		}
	}
	usage()
}

// asWorkload runs what this program is itself started for while it measures.
func asWorkload() {
	switch {
	case len(os.Args) > 2 && os.Args[1] == timeCommand:
		os.Exit(timed(os.Args[2], os.Args[3:]))
	case len(os.Args) == 4 && os.Args[1] == makeWork:
		measurement{name: makeWork}.end(work(os.Args[2], os.Args[3]))
	case len(os.Args) == 4 && os.Args[1] == makeWakes:
		measurement{name: makeWakes}.end(wakes(os.Args[2], os.Args[3]))
	case len(os.Args) == 3 && os.Args[1] == makeSoak:
		measurement{name: makeSoak}.end(soakLoad(os.Args[2]))
	case len(os.Args) == 3 && os.Args[1] == makeCalls:
		measurement{name: makeCalls}.end(calls(os.Args[2]))
	}
}

func (c measurement) end(err error) {
	switch {
	case err == nil:
		os.Exit(0)
	case errors.Is(err, errUsage):
		flag.Usage()
		os.Exit(2)
	}
	fmt.Fprintf(os.Stderr, "bench %s: %v\n", c.name, err)
	os.Exit(1)
}

func usage() {
	for _, c := range measurements {
		fmt.Fprintf(os.Stderr, "bench %-10s %s\n", c.name, c.usage)
	}
	os.Exit(2)
}
