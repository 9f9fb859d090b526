//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"sort"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/stats"
)

// preamble names the machine and the peers.
func preamble(b *session) {
	b.printf("## Recording and analysis on %s\n\n%s Peers: %s.\n", CPU(), measured(), strings.Join(peers(), "; "))
}

// measured says when something is measured, and on what.
func measured() string {
	var u unix.Utsname
	unix.Uname(&u)
	return fmt.Sprintf("Measured on %s: Linux %s, %d CPUs, %s of memory.", time.Now().UTC().Format("2006-01-02"),
		unix.ByteSliceToString(u.Release[:]), runtime.NumCPU(), memory())
}

func memory() string {
	total, err := Meminfo("MemTotal")
	if err != nil {
		return "an unknown amount"
	}
	return unit.Bytes(total)
}

func peers() []string {
	var list []string
	for _, tool := range []string{"strace", "perf", "bpftrace", "fio"} {
		text, err := exec.Command(tool, "--version").Output()
		if err != nil {
			list = append(list, tool+" not installed")
			continue
		}
		line, _, _ := strings.Cut(string(text), "\n")
		if !strings.Contains(line, tool) {
			line = tool + " " + line
		}
		list = append(list, strings.TrimSpace(line))
	}
	return list
}

// sample is a set of measurements.
type sample []float64

func (s sample) quantile(p float64) float64 {
	sorted := append(sample(nil), s...)
	sort.Float64s(sorted)
	return sorted[int(p*float64(len(sorted)-1)+0.5)]
}

func (s sample) median() float64 { return stats.Median(s) }
