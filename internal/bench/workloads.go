//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/bench/guest"
	"github.com/iotrace/iotrace/internal/bench/loop"
	"github.com/iotrace/iotrace/stats"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// copyMemory is what a copy may use: twice the file, and enough that writeback does not begin earlier than elsewhere.
const copyMemory = 9 << 30

// copy compares the wall time of cp of 1 GiB, cold, with and without recording,
// on a device over memory: a slower one would hide what recording costs.
func (b *bench) copy() (err error) {
	release, err := guest.Fragment(b.ended, copyMemory)
	if err != nil {
		return err
	}
	defer release()
	disk, err := loop.InMemory("ext4", "cp", 3<<30)
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
	for i := range 8*b.rounds + 1 {
		var took [2]time.Duration
		for _, recorded := range []int{0, 1, 1, 0} { // a drift over the four hits both alike
			os.Remove(target)
			unix.Sync()
			if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("1"), 0); err != nil {
				return err
			}
			t, err := b.under([][]string{nil, record}[recorded], []string{"cp", source, target})
			if err != nil {
				return err
			}
			took[recorded] += t
		}
		if i > 0 { // the first round warms up what a cold cache leaves warm
			ratio = append(ratio, took[1].Seconds()/took[0].Seconds())
			bare = append(bare, took[0].Seconds()/2)
		}
	}
	ci := stats.MedianCI(ratio, .95)
	b.printf("\n## `cp` of 1 GiB, cold cache, on a device over memory\n\n"+
		"Wall time recorded / bare: %.3f (95 %% interval of the median %.3f to %.3f; quartiles %.3f to %.3f), %d times two "+
		"runs of each, %.2f s bare; target 1.02.\n", ratio.median(), ci.Low, ci.High, ratio.quantile(.25),
		ratio.quantile(.75), len(ratio), bare.median())
	return b.traceFacts(file, "this copy")
}

// fio compares the rate of 4 KiB random reads, one at a time, past the cache.
func (b *bench) fio() error {
	if !installed("fio") {
		b.printf("\n## fio\n\nNot installed.\n")
		return nil
	}
	file := b.dir + "/fio.iotrace"
	record := []string{b.tool, "record", "--quiet", "--drain", "0", "-f", "-o", file, "--"}
	job := []string{"fio", "--name=qd1", "--filename=" + b.dir + "/fio.data", "--size=512m", "--rw=randread", "--bs=4k",
		"--direct=1", "--ioengine=psync", "--runtime=3", "--time_based", "--output-format=json", "--randseed=7"}
	if err := b.command(append(job, "--create_only=1")...).Run(); err != nil {
		return err
	}
	var ratio, bare sample
	for i := range 2 * b.rounds {
		var iops [2]float64
		for j := range 2 {
			traced := (i + j) % 2
			words := job
			if traced == 1 {
				words = append(append([]string{}, record...), job...)
			}
			n, err := b.fioIOPS(words)
			if err != nil {
				return err
			}
			iops[traced] = n
		}
		bare = append(bare, iops[0])
		ratio = append(ratio, iops[1]/iops[0])
	}
	b.printf("\n## `fio` 4 KiB random read, depth 1, direct\n\nIOPS recorded / bare: %.3f (%.3f to %.3f), %d pairs at "+
		"%.0f IOPS; target 0.95.\n", ratio.median(), ratio.quantile(.25), ratio.quantile(.75), len(ratio), bare.median())
	return b.traceFacts(file, "this run")
}

func (b *bench) fioIOPS(words []string) (float64, error) {
	text, err := b.command(words...).Output()
	if err != nil {
		return 0, err
	}
	var result struct {
		Jobs []struct {
			Read struct {
				IOPS float64 `json:"iops"`
			} `json:"read"`
		} `json:"jobs"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return 0, fmt.Errorf("reading fio's output: %w", err)
	}
	return result.Jobs[0].Read.IOPS, nil
}

// traceFacts prints what the recording itself says: events, size, losses,
// memory. A loss is printed, never hidden by a ratio.
func (b *bench) traceFacts(file, what string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := tracefile.NewReader(f)
	if err != nil {
		return err
	}
	var batch trace.Batch
	for r.Next(&batch) == nil {
	}
	end, whole := r.End()
	if !whole {
		return fmt.Errorf("%s: interrupted", file)
	}
	var events, lost uint64
	for _, n := range end.Counts {
		events += n
	}
	for _, n := range end.Lost {
		lost += n
	}
	st, _ := f.Stat()
	b.printf("\nTrace of %s: %d events, %d lost, %.2f bytes per event; recorder: %.0f MiB resident, %.0f MiB buffer "+
		"(%.1f MiB at the fullest), reader %.2f s CPU, probes %.2f s CPU.\n", what, events, lost,
		float64(st.Size())/float64(events), float64(end.Recorder.MaxRSS)/(1<<20), float64(end.Recorder.BufferSize)/(1<<20),
		float64(end.Recorder.BufferPeak)/(1<<20), float64(end.Recorder.ReaderCPU)/1e9, float64(end.Recorder.ProbeCPU)/1e9)
	return nil
}

// analysis measures show and report on the storm's trace.
func (b *bench) analysis() error {
	file := b.dir + "/storm.iotrace"
	if _, err := os.Stat(file); err != nil {
		if _, err := b.ddCall([]string{b.tool, "record", "--quiet", "-f", "-o", file, "--"}, 5<<20); err != nil {
			return err
		}
	}
	b.printf("\n## Analysis\n")
	for _, words := range [][]string{{"show", file}, {"report", "-f", "-o", b.dir + "/storm.html", file}} {
		cmd := b.command(append([]string{b.tool}, words...)...)
		began := time.Now()
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", words, err, lastLine(text))
		}
		took := time.Since(began).Seconds()
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		b.printf("\n`iotrace %s` of that trace: %.2f s, %.0f MiB resident.", words[0], took, float64(usage.Maxrss)/1024)
	}
	st, err := os.Stat(b.dir + "/storm.html")
	if err != nil {
		return err
	}
	b.printf(" The page has %.2f MB.\n", float64(st.Size())/1e6)
	return b.traceFacts(file, "that recording")
}
