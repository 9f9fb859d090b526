//go:build linux

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// writeLimit takes limits of whole devices (version 1 of control groups).
const writeLimit = "/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device"

// TestThrottle lowers the rate of a device in the middle of a copy: one change
// point at that byte, in what the device wrote. Without that there is none.
func TestThrottle(t *testing.T) {
	needPrivilege(t)
	groups(t, "blkio")
	needPrograms(t, "dd", "cp", "lsblk", "mkfs.ext4")
	for _, program := range []string{"cp %s %s", "dd if=%s of=%s bs=256k oflag=direct"} {
		for _, lowered := range []bool{true, false} {
			t.Run(fmt.Sprintf("%.2s lowered=%v", program, lowered), func(t *testing.T) { throttle(t, program, lowered) })
		}
	}
}

// The bytes that are copied, and when the limit is lowered; the limits, in bytes
// a second.
const total, half = 96 << 20, 48 << 20
const high, low = 40 << 20, 16 << 20

// throttle records the copy. A step that is found must be the true one, and
// without a step there is none. Two things spoil a recording: requests that
// were lost, as it knows of fewer bytes than the device wrote then; and others
// who use the disk below, so that by the kernel's own count the device did not
// keep its first limit, or did not get slower when it was lowered.
func throttle(t *testing.T, program string, lowered bool) {
	for range attempts {
		p, device, wrote := limited(t, program, lowered)
		set := func(l profile.IOLimit) bool { return l.Device == device && l.WriteBytes == high }
		if !slices.ContainsFunc(p.Trace.IOLimits, set) {
			t.Errorf("the limit that was set is not among %+v", p.Trace.IOLimits)
		}
		if p.Lost.Kinds["request"] > 0 {
			continue
		}
		before, after := wrote.slowest()
		if before < high*3/4 || lowered && (wrote.at == 0 || after < low*3/4) {
			t.Logf("spoiled: by the kernel's count the device wrote %.0f MB/s for a while, then %.0f", before/1e6, after/1e6)
			continue
		}
		if found := stepAt(t, p, device, wrote.at); found && !lowered {
			t.Fatal("a step where there was none")
		} else if !found && lowered {
			t.Fatalf("the step was not found; by the kernel's count the device wrote %.0f MB/s before it and %.0f after it; "+
				"phases %+v, warnings %+v", before/1e6, after/1e6, p.Phases, p.Warnings)
		}
		return
	}
	cannot(t)("each of %d recordings lost requests or was made while others kept the disk busy", attempts)
}

// A count is what the kernel says a device had written at a moment.
type count struct {
	when  time.Time
	bytes int64
}

// counts are those of a copy, and how many bytes had been written when the
// limit was lowered: 0 if it was not.
type counts struct {
	of []count
	at int64
}

// slowest is the rate of the slowest eighth of the copy before the limit was
// lowered, and after it, in bytes a second; 0 where there is no eighth.
func (c counts) slowest() (before, after float64) {
	const eighth = total / 8
	for i, from := range c.of {
		end := slices.IndexFunc(c.of[i:], func(x count) bool { return x.bytes >= from.bytes+eighth })
		if end < 0 {
			break
		}
		to := c.of[i+end]
		rate := float64(to.bytes-from.bytes) / to.when.Sub(from.when).Seconds()
		switch {
		case c.at == 0 || to.bytes <= c.at:
			before = least(before, rate)
		case from.bytes >= c.at:
			after = least(after, rate)
		}
	}
	return before, after
}

// least is the smaller rate; 0 is none.
func least(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// limited records the copy to a device with a limit, which it names, and counts
// what the device writes meanwhile.
func limited(t *testing.T, program string, lowered bool) (p *profile.Profile, name string, wrote counts) {
	source := filepath.Join(workDir(t), "a")
	fill(t, source, total)
	dir := mount(t, "ext4", 2*total)
	device := run(t, "findmnt", "--noheadings", "--output", "SOURCE", dir)
	number := run(t, "lsblk", "--noheadings", "--nodeps", "--output", "MAJ:MIN", device)
	name = filepath.Base(device)
	run(t, "sync", "-f", dir)
	limit := func(rate int64) {
		if err := os.WriteFile(writeLimit, fmt.Appendf(nil, "%s %d", number, rate), 0o644); err != nil {
			t.Error(err)
		}
	}
	limit(high)
	defer limit(0)
	begun := written(t, name)
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		done := int64(0)
		for {
			select {
			case <-ended:
				return
			case <-time.After(2 * time.Millisecond):
			}
			n := written(t, name) - begun
			if n == done {
				continue
			}
			done = n
			wrote.of = append(wrote.of, count{time.Now(), done})
			if lowered && wrote.at == 0 && done >= half {
				wrote.at = done
				limit(low)
			}
		}
	}()
	stop := sync.OnceFunc(func() {
		close(ended)
		<-watched
	})
	defer stop() // before the limit is lifted, even if the recording fails
	p = attempt(t, strings.Fields(fmt.Sprintf(program, source, filepath.Join(dir, "b")))...)
	stop()
	return p, name, wrote
}

// written is how many bytes a device has written, by the kernel's own count.
func written(t *testing.T, name string) int64 {
	b, err := os.ReadFile(filepath.Join("/sys/block", name, "stat"))
	if err != nil {
		t.Error(err)
		return 0
	}
	sectors, err := strconv.ParseInt(strings.Fields(string(b))[6], 10, 64)
	if err != nil {
		t.Error(err)
	}
	return sectors * 512
}

// stepAt reports whether there is a change point of what was written to the
// device, and checks that it is the true one: at that byte, two chunks more or
// less, and downwards.
func stepAt(t *testing.T, p *profile.Profile, device string, at int64) bool {
	t.Helper()
	const series = "device write"
	chunk := int64(0)
	for _, f := range p.Phases {
		if f.Series == series && f.Device == device {
			chunk = f.Chunk
		}
	}
	if chunk == 0 {
		t.Fatalf("no phases of %s", series)
	}
	found := 0
	for _, s := range p.ChangePoints {
		if s.Series != series || s.Device != device {
			continue
		}
		found++
		t.Logf("%s: at %.1f MiB (chunks of %.1f), %.0f → %.0f MB/s", series, float64(s.AtBytes)/(1<<20),
			float64(chunk)/(1<<20), float64(s.Before)/1e6, float64(s.After)/1e6)
		switch {
		case max(s.AtBytes-at, at-s.AtBytes) > 2*chunk:
			t.Errorf("the step is at %d, want %d, 2 chunks of %d more or less", s.AtBytes, at, chunk)
		case s.Ratio >= 1:
			t.Errorf("it became faster, %v times", s.Ratio)
		}
	}
	if found > 1 {
		t.Errorf("%d change points, want one", found)
	}
	return found > 0
}
