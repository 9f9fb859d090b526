//go:build linux

package ebpf

import (
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// A journal's requests are divided by what each transaction holds: as the kernel's own event log counts it.
func TestTransactionsAreDivided(t *testing.T) {
	needBPF(t)
	for _, alone := range []bool{true, false} {
		t.Run(fmt.Sprintf("alone=%t", alone), func(t *testing.T) {
			d := newDisk(t, imageSize)
			d.format("ext4")
			dir := d.mount("ext4", "")
			log := startFtrace(t, fmt.Sprintf("dev == %d", d.id), "jbd2/jbd2_handle_stats", "jbd2/jbd2_commit_flushing",
				"block/block_bio_queue")
			stop := func() {}
			if !alone {
				stop = keepWriting(t, dir)
			}
			s, w := launch(t, Options{}, workload.Args("write", dir, "0", "1048576", "16384", "fsync")...)
			wait(t, w)
			rec := s.finish() // a few requests may be lost on a busy machine: the bound below has room for them
			stop()
			want := journalled(t, log.lines(), rec)
			got, whole := int64(0), int64(0)
			for _, q := range rec.requests(d.id) {
				if q.TID != want.thread || q.File != 0 {
					continue
				}
				if whole += q.Bytes; q.Flags&trace.ReqForeign == 0 {
					got += q.Own()
				}
			}
			t.Logf("%d of %d bytes of the journal are the program's; the kernel's log says %.0f of %.0f", got, whole,
				want.own, want.all)
			if whole == 0 || math.Abs(float64(got)-want.own) > want.own/20 || alone && got != whole {
				t.Error("that is not the same")
			}
		})
	}
}

// keepWriting has a program that is not recorded write and sync in a directory until it is stopped.
func keepWriting(t *testing.T, dir string) (stop func()) {
	args := workload.Args("write", dir, "1", "1073741824", "16384", "fsync")
	c := exec.Command(args[0], args[1:]...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		c.Process.Kill() //nolint:errcheck // it may have ended
		c.Wait()         //nolint:errcheck // it was killed
	}
}

var (
	handleLine = regexp.MustCompile(`-(\d+) +\(.*: jbd2_handle_stats: dev \S+ tid (\d+) .* dirtied_blocks (\d+)`)
	commitLine = regexp.MustCompile(`-(\d+) +\(.*: jbd2_commit_flushing: dev \S+ transaction (\d+) `)
	bioLine    = regexp.MustCompile(`-(\d+) +\(.*: block_bio_queue: \S+ \S+ \d+ \+ (\d+) `)
)

// journalLog is what the kernel's log says of one: who writes it, and how much of it for the program and in all.
type journalLog struct {
	thread   uint32
	own, all float64
}

// journalled divides the journal by what the kernel's log says of each transaction. Its thread alone commits.
func journalled(t *testing.T, lines []string, rec *recording) journalLog {
	recorded := map[string]bool{}
	for _, p := range rec.Processes {
		if p.Action != trace.ProcessHelper {
			recorded[strconv.Itoa(int(p.TID))] = true
		}
	}
	var j journalLog
	own, all, share := map[string]float64{}, map[string]float64{}, 1.0
	for _, line := range lines {
		if m := handleLine.FindStringSubmatch(line); m != nil && !ofKernel(m[1]) {
			n, _ := strconv.ParseFloat(m[3], 64)
			if all[m[2]] += n; recorded[m[1]] {
				own[m[2]] += n
			}
		} else if m := commitLine.FindStringSubmatch(line); m != nil {
			thread, _ := strconv.Atoi(m[1])
			j.thread, share = uint32(thread), 1
			if all[m[2]] > 0 {
				share = own[m[2]] / all[m[2]]
			}
		} else if m := bioLine.FindStringSubmatch(line); m != nil && m[1] == strconv.Itoa(int(j.thread)) {
			sectors, _ := strconv.ParseFloat(m[2], 64)
			j.all += 512 * sectors
			j.own += 512 * sectors * share
		}
	}
	if j.all == 0 {
		t.Fatalf("no journal in %d lines of the kernel's log", len(lines))
	}
	return j
}
