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

// The bytes that are copied, and when the limit is lowered.
const total, half = 96 << 20, 48 << 20

// throttle records the copy. A step that is found must be the true one, and
// without a step there is none. Two things spoil a recording: requests that
// were lost, as it knows of fewer bytes than the device wrote then; and others
// who use the disk, so that by the kernel's own count the device did not get
// slower when its limit was lowered.
func throttle(t *testing.T, program string, lowered bool) {
	for range attempts {
		p, device, at, fell := limited(t, program, lowered)
		set := func(l profile.IOLimit) bool { return l.Device == device && l.WriteBytes == 40<<20 }
		if !slices.ContainsFunc(p.Trace.IOLimits, set) {
			t.Errorf("the limit that was set is not among %+v", p.Trace.IOLimits)
		}
		if p.Lost.Kinds["request"] > 0 {
			continue
		}
		if lowered && fell < 2 {
			t.Logf("spoiled: the device wrote only %.2f times as fast before its limit was lowered", fell)
			continue
		}
		if found := stepAt(t, p, device, at); found && !lowered {
			t.Fatal("a step where there was none")
		} else if !found && lowered {
			t.Fatalf("the step was not found; by the kernel's count the device wrote %.2f times as fast before it; phases %+v, "+
				"warnings %+v", fell, p.Phases, p.Warnings)
		}
		return
	}
	cannot(t)("each of %d recordings lost requests or was made while others kept the disk busy", attempts)
}

// limited records the copy to a device with a limit. It returns when, in bytes
// that the device had written, the limit was lowered, and how many times slower
// the device was from then on, by the kernel's count of what it wrote.
func limited(t *testing.T, program string, lowered bool) (p *profile.Profile, name string, at int64, fell float64) {
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
	limit(40 << 20)
	defer limit(0)
	begun := written(t, name)
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		var first, changed, last time.Time // of the writes
		done := int64(0)
		for {
			select {
			case <-ended:
				if at > 0 && at < done && changed.After(first) && last.After(changed) {
					fell = float64(at) / changed.Sub(first).Seconds() / (float64(done-at) / last.Sub(changed).Seconds())
				}
				return
			case <-time.After(2 * time.Millisecond):
			}
			n, now := written(t, name)-begun, time.Now()
			if n == done {
				continue
			}
			if done == 0 {
				first = now
			}
			done, last = n, now
			if lowered && at == 0 && done >= half {
				at, changed = done, now
				limit(16 << 20)
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
	return p, name, at, fell
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
