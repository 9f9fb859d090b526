//go:build linux

// Command kernels tries iotrace on other kernels. It fetches them from Debian
// and Ubuntu and boots each in a virtual machine with the tree's program. It
// compares what is recorded there with what was done and with the kernel's own
// counters. The table that it writes is docs/kernels.md. The same program is
// the first process of the machine, there by the name of /guest (guest*.go).
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/iotrace/iotrace/internal/testenv"
)

func main() {
	testenv.Serving()
	if os.Args[0] == self {
		guest()
		return
	}
	var t trial
	flag.StringVar(&t.cache, "cache", "/var/cache/iotrace-kernels", "where kernels are kept")
	output := flag.String("o", "", "write a table to this file")
	flag.BoolVar(&t.lenient, "lenient", false, "go on without kernels that cannot be fetched, or an emulator")
	pair := flag.String("pair", "", "also boot a client of NFS and SMB and its server with this kernel")
	flag.StringVar(&t.traces, "traces", "", "keep the traces of the pair in this directory")
	flag.IntVar(&t.cost, "cost", 0, "the pair also measures what recording costs its client, by so many rounds")
	verbose := flag.Bool("v", false, "print the console of each machine")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: kernels [-cache DIR] [-o FILE] [-lenient] [-pair NAME] "+
			"[-traces DIR] [-cost N] [-v] [NAME …]\nnames:", strings.Join(names(), " "))
		flag.PrintDefaults()
	}
	flag.Parse()
	t.verbose = *verbose
	if err := t.run(flag.Args(), *pair, *output); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}
