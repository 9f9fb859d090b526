//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/stats"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// copyMemory is what a copy may use: twice the file, and enough that writeback does not begin earlier than elsewhere.
const copyMemory = 9 << 30

// copyFile compares the wall time of cp of 1 GiB, cold, with and without recording,
// on a device over memory: a slower one would hide what recording costs. A bare one waits before for as long as a
// recorder takes to begin: the longer ago the caches were dropped, the longer a copy takes
// (docs/performance-history.md).
func copyFile(b *session) error {
	release, err := Fragment(b.ended, copyMemory)
	if err != nil {
		return err
	}
	defer release()
	if err := copyOn(b, "ext4", "a device over memory"); err != nil || !installed("mkfs.xfs") {
		return err
	}
	return copyOn(b, "xfs -m reflink=0", "XFS over memory") // where cp copies data, as it does on ext4
}

// copyOn does that on a file system, whose probes are its own.
func copyOn(b *session, kind, where string) (err error) {
	disk, err := testenv.InMemory(kind, "cp", 3<<30)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, disk.Close()) }()
	source, target := disk.Dir+"/source", disk.Dir+"/target"
	if err := b.command("sh", "-c", "head -c 1073741824 /dev/urandom > "+source).Run(); err != nil {
		return err
	}
	file := b.dir + "/cp.iotrace"
	record := []string{b.tool, "record", "--quiet", "-f", "-o", file, "--"}
	var ratio, bare sample
	var pause time.Duration
	for i := range 8*b.rounds + 1 {
		var took [2]time.Duration
		for _, recorded := range []int{0, 1, 1, 0} { // a drift over the four hits both alike
			os.Remove(target)
			unix.Sync()
			if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("1"), 0); err != nil {
				return err
			}
			if recorded == 0 {
				time.Sleep(pause)
			}
			t, err := b.under([][]string{nil, record}[recorded], []string{"cp", source, target})
			if err != nil {
				return err
			}
			took[recorded] += t.took
			if recorded == 1 {
				pause = t.before
			}
		}
		if i > 0 { // the first round warms up what a cold cache leaves warm
			ratio = append(ratio, took[1].Seconds()/took[0].Seconds())
			bare = append(bare, took[0].Seconds()/2)
		}
	}
	ci := stats.MedianCI(ratio, .95)
	b.printf("\n### `cp` of 1 GiB, cold, on %s\n\n"+
		"Wall time recorded / bare: %.3f (95 %% interval of the median %.3f to %.3f; quartiles %.3f to %.3f), %d times two "+
		"runs of each, %.2f s bare; goal: 1.01.\n", where, ratio.median(), ci.Low, ci.High, ratio.quantile(.25),
		ratio.quantile(.75), len(ratio), bare.median())
	return traceFacts(b, file, "this copy")
}

// traceFacts prints what the recording itself says: events, size, losses,
// memory. A loss is printed, never hidden by a ratio.
func traceFacts(b *session, file, what string) error {
	end, err := endOf(file)
	if err != nil {
		return err
	}
	st, err := os.Stat(file)
	if err != nil {
		return err
	}
	cost, mebi := &end.Recorder, func(n int64) float64 { return float64(n) / (1 << 20) }
	b.printf("\nTrace of %s: %d events, %d lost, %.2f bytes per event. Recorder: %.0f MiB resident, %.0f MiB buffer "+
		"(%.1f MiB at the fullest), reader %.2f s CPU, probes %.2f s CPU.\n", what, events(end), lost(end),
		float64(st.Size())/float64(events(end)), mebi(cost.MaxRSS), mebi(cost.BufferSize), mebi(cost.BufferPeak),
		float64(cost.ReaderCPU)/1e9, float64(cost.ProbeCPU)/1e9)
	return nil
}

// endOf is the end of a trace, which says what is in it.
func endOf(file string) (trace.End, error) {
	f, err := tracefile.Open(file)
	if err != nil {
		return trace.End{}, err
	}
	defer f.Close()
	end, whole := f.End()
	if !whole {
		return end, fmt.Errorf("%s: interrupted", file)
	}
	return end, nil
}

// events is how many there are in all.
func events(end trace.End) (n uint64) {
	for _, c := range end.Counts {
		n += c
	}
	return n
}

// lost is how many are missing.
func lost(end trace.End) (n uint64) {
	for _, c := range end.Lost {
		n += c
	}
	return n
}
