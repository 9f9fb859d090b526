//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

func printOutcome(w io.Writer, o *outcome) {
	fmt.Fprintf(w, "%s (%s): ", o.kernel.name, o.find("kernel").Found)
	switch {
	case o.ok():
		fmt.Fprintf(w, "ok, %.0f s\n", o.took.Seconds())
	case errors.Is(o.err, errUnavailable):
		fmt.Fprintln(w, "NOT TRIED")
	default:
		fmt.Fprintf(w, "FAILED, %.0f s\n", o.took.Seconds())
	}
	for _, r := range o.results {
		state := "ok"
		if !r.OK {
			state = "FAILED"
		}
		fmt.Fprintf(w, "  %-9s %-6s %s\n", r.Check, state, r.Found)
		for _, l := range r.Limits {
			fmt.Fprintf(w, "  %-9s limit  %s\n", "", l)
		}
	}
	if o.err != nil {
		fmt.Fprintf(w, "  %v\n", o.err)
	}
}

const introduction = `# Kernels

iotrace was tried on these kernels, each booted in a virtual machine (QEMU, emulated) by ` +
	"`make kernels`" + `, which wrote this page.

- **doctor**: all required checks pass. What it says cannot be seen there stands under the table.
- **self-test**: ` + "`doctor --self-test`" + `, which compares what a small workload did with what was recorded.
- **copy**: a cold copy of 32 MiB on ext4; requests and bytes read are those of /proc/diskstats, and no request is lost.
- **direct**: libaio writes past the page cache to two files on ext4, eight at once; the requests are of these files.
- **storm**: three programs make 30,000 reads each on one processor; recorded and lost are as many as were made.
- **overflow**: the same with a buffer that is too small; recorded and counted as lost add up to what was made.

| kernel | found in | doctor | self-test | copy | direct | storm | overflow | time |
|---|---|---|---|---|---|---|---|---|
`

func writeTable(path string, outcomes []outcome) error {
	var b strings.Builder
	b.WriteString(introduction)
	for i := range outcomes {
		o := &outcomes[i]
		fmt.Fprintf(&b, "| %s, %s | %s |", o.find("kernel").Found, o.kernel.arch, o.kernel.users)
		for _, name := range checkNames {
			fmt.Fprintf(&b, " %s |", cell(o.find(name)))
		}
		fmt.Fprintf(&b, " %.0f s |\n", o.took.Seconds())
	}
	b.WriteString("\nWhat is not seen on them:\n\n")
	for i := range outcomes {
		o := &outcomes[i]
		limits := o.find("doctor").Limits
		if len(limits) == 0 {
			limits = []string{"nothing is missing"}
		}
		fmt.Fprintf(&b, "- %s, %s: %s\n", o.kernel.name, o.kernel.arch, strings.Join(limits, "; "))
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// cell is a check's result: the numbers that were compared.
func cell(r result) string {
	text := strings.NewReplacer("|", "/", "\n", " ").Replace(r.Found)
	if !r.OK {
		return "**failed**: " + text
	}
	return text
}
