//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
)

// The table has a row for each kernel, with what failed and how long it took, and names the limits of each.
func TestTable(t *testing.T) {
	good := outcome{kernel: find("6.12"), checks: checkNames, took: 75 * time.Second,
		results: []result{{Check: "kernel", OK: true, Found: "6.12.1"},
			{Check: "doctor", OK: true, Found: "records with ebpf"}, {Check: "self-test", OK: true, Found: "17 of 17"},
			{Check: "copy", OK: true, Found: "1 | 2"}, {Check: "direct", OK: true, Found: "both"},
			{Check: "uring", OK: true, Found: "names"},
			{Check: "limit", OK: true, Found: "held"}, {Check: "fat", OK: true, Found: "carried"},
			{Check: "biosnoop", OK: true, Found: "same"},
			{Check: "storm", OK: true, Found: "all"}, {Check: "overflow", OK: true, Found: "most"}}}
	bad := outcome{kernel: find("5.10-arm64"), checks: checkNames, results: []result{
		{Check: "kernel", OK: true, Found: "5.10.2"}, {Check: "doctor", OK: false, Found: "no BTF",
			Limits: []string{"no faults"}}}}
	if !good.ok() || bad.ok() {
		t.Fatalf("ok: %v and %v", good.ok(), bad.ok())
	}
	path := filepath.Join(t.TempDir(), "kernels.md")
	if err := writeTable(path, []outcome{good, bad}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| 6.12.1, amd64 | Debian 13, RHEL 10 | records with ebpf | 17 of 17 | 1 / 2 | both | names | held | carried " +
			"| same | all | most | 75 s |",
		"| 5.10.2, arm64 | Debian 11, Amazon Linux 2 | **failed**: no BTF | **failed**: not reached |",
		"| no faults | 5.10-arm64 |",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the table does not have %q:\n%s", want, text)
		}
	}
}

// A kernel that nobody has is no failure for who asks for that, and nothing is said of it in the table.
func TestKernelsThatCannotBeFetched(t *testing.T) {
	if _, err := os.Stat("/usr/bin/apt-get"); err != nil {
		testenv.Missing(t, "no apt")
	}
	for _, lenient := range []bool{false, true} {
		tr := trial{cache: t.TempDir(), scratch: t.TempDir(), lenient: lenient, updated: map[string]bool{}}
		nobody := kernel{name: "none", arch: "amd64", suite: "none", image: "linux-image-none", users: "nobody"}
		outcomes, err := tr.all([]*kernel{&nobody}, "")
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 1, true: 0}[lenient]; len(outcomes) != want {
			t.Errorf("lenient %v: %d outcomes, want %d", lenient, len(outcomes), want)
		}
		for i := range outcomes {
			if outcomes[i].ok() {
				t.Errorf("it was tried: %+v", outcomes[i])
			}
		}
	}
}
