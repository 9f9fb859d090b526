//go:build linux

package main

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	workloads "github.com/iotrace/iotrace/internal/workload"
)

// guest is the first process of a virtual machine that tries iotrace on
// a kernel. It loads modules, mounts a disk, runs the checks one after the
// other, prints what each found as JSON, and switches the machine off. It is
// also the workload of the checks.
func guest() {
	workloads.Main()
	if len(os.Args) > 2 {
		if err := workload(os.Args[1], os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "guest:", err)
			os.Exit(1)
		}
		return
	}
	role := os.Getenv("role") // from the kernel's command line
	if err := prepare(); err != nil {
		report(result{Check: "boot", Found: err.Error()})
	} else if role != "" {
		inPair(role)
	} else {
		for _, c := range checks {
			r := c.run()
			if report(r); c.name == "doctor" && !r.OK {
				break // the others would say the same
			}
		}
	}
	if role == "" { // a disk that is frozen waits for ever
		unix.Sync()
	}
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

var checks = []check{
	{"kernel", release},
	{"doctor", doctor},
	{"self-test", selfTest},
	{"copy", copyCheck},
	{"direct", directCheck},
	{"uring", uringCheck},
	{"limit", limitCheck},
	{"fat", fatCheck},
	{"biosnoop", biosnoopCheck},
	{"storm", func() (string, []string, error) { return stormCheck(30_000, "64MiB") }},
	{"overflow", func() (string, []string, error) { return stormCheck(30_000, "64KiB") }},
}

// workload is what the checks record.
func workload(name string, args []string) error {
	switch name {
	case "asks":
		return asks(args[0])
	case "carried":
		return carried(args[0], args[1:])
	case "copy":
		return copyFile(args[0], args[1])
	case "direct":
		return direct(args[0])
	case "held":
		return held(args[0])
	case "limited":
		return limited(args[0])
	case "reads":
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		return reads(n)
	case "send":
		return send(args[0], args[1], args[2], args[3])
	case "snooped":
		return snooped(args[0])
	case "storm":
		return storm(args[0])
	}
	return fmt.Errorf("no workload %q", name)
}
