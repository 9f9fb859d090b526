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

iotrace was tried on the kernels below, each booted in a virtual machine (QEMU, emulated) by ` +
	"`make kernels`" + `, which wrote this page.

## What is not seen

Where a kernel is not listed, nothing is missing.

| what | kernels |
|---|---|
`

const checked = `
What clients of NFS and SMB ask of their servers is seen where the kernel has type information of modules, from 5.11 on.
` + "`make test-kernels`" + ` boots a client beside its server with the newest kernel and compares with what the
client's kernel counts; with ` + "`go run ./internal/kernels -pair 6.12`" + ` another one does.

## How long old kernels are supported

The probes for Linux before 5.17 (LEGACY in ` + "`tracer/ebpf/bpf`" + `) stay until 30 April 2027, when the standard
support of Ubuntu 22.04 (5.15) ends. Linux 5.10 and 5.15 themselves end in December 2026. Releases after that date
record on 5.17 and later, and on kernels that have what the usual probes need by backports.

## What was checked

- **doctor**: all required checks pass, and the kernel refuses no probe.
- **self-test**: ` + "`doctor --self-test`" + `, which compares what a small workload did with what was recorded.
- **copy**: a cold copy of 32 MiB on ext4; requests and bytes read are those of /proc/diskstats, and no request is lost.
- **direct**: libaio writes past the page cache to two files on ext4, eight at once; the requests are of these files.
- **uring**: io_uring makes, links, renames, exchanges and removes files; each operation is recorded with its names and
  its result. Kernels on which these cannot be recorded are listed above.
- **limit**: writes in a control group (version 2) that may write 1 MiB a second, past the page cache (limited) and
  through it, with little memory (held). The limit is recorded, and the verdict names it: as measured, or as not
  sure, where some of the requests count as those of others.
- **fat**: a program copies a file to vfat and exfat and unmounts them. Had the device lost its power when the copy is
  called durable, it would hold the copy. The newest kernels alone try it.
- **biosnoop**: direct writes, reads and a flush on the disk itself, in the table of biosnoop (libbpf-tools), imported:
  requests and bytes are those of /proc/diskstats. The tool does not load on every kernel.
- **storm**: three programs make 30,000 reads each on one processor; recorded and lost are as many as were made. The
  others are the calls with which programs begin and end.
- **overflow**: the same with a buffer that is too small; recorded and counted as lost add up to what was made, others
  included.

| kernel | found in | doctor | self-test | copy | direct | uring | limit | fat | biosnoop | storm | overflow | time |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
`

func writeTable(path string, outcomes []outcome) error {
	var b strings.Builder
	b.WriteString(introduction)
	var limits []string
	kernels := map[string][]string{}
	for i := range outcomes {
		o := &outcomes[i]
		for _, l := range o.find("doctor").Limits {
			if kernels[l] == nil {
				limits = append(limits, l)
			}
			kernels[l] = append(kernels[l], o.kernel.name)
		}
	}
	for _, l := range limits {
		fmt.Fprintf(&b, "| %s | %s |\n", plain(strings.TrimPrefix(l, "not recorded: ")), strings.Join(kernels[l], ", "))
	}
	b.WriteString(checked)
	for i := range outcomes {
		o := &outcomes[i]
		fmt.Fprintf(&b, "| %s, %s | %s |", o.find("kernel").Found, o.kernel.arch, o.kernel.users)
		for _, name := range checkNames {
			fmt.Fprintf(&b, " %s |", cell(o.find(name)))
		}
		fmt.Fprintf(&b, " %.0f s |\n", o.took.Seconds())
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// cell is a check's result: the numbers that were compared.
func cell(r result) string {
	if !r.OK {
		return "**failed**: " + plain(r.Found)
	}
	return plain(r.Found)
}

// plain is a text that stays within its cell.
func plain(text string) string { return strings.NewReplacer("|", "/", "\n", " ").Replace(text) }
