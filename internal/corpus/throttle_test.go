//go:build linux

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
)

// blkio is where the throttles of version 1 of control groups are.
const blkio = "/sys/fs/cgroup/blkio"

// TestThrottle lowers the rate of a device in the middle of a copy: one change
// point at that byte. Without that there is none. The rates are such that a
// chunk takes longer than the 100 ms for which the kernel lets requests through
// at once.
func TestThrottle(t *testing.T) {
	needPrivilege(t)
	if _, err := os.Stat(filepath.Join(blkio, "blkio.throttle.write_bps_device")); err != nil {
		t.Skip("no blkio throttle (version 1 of control groups)")
	}
	needPrograms(t, "dd", "lsblk")
	for _, lowered := range []bool{true, false} {
		t.Run(fmt.Sprintf("lowered=%v", lowered), func(t *testing.T) { throttle(t, lowered) })
	}
}

const total, half = 96 << 20, 48 << 20

// throttle records the copy. A step that is reported must be the true one, and
// without a step there is none; but on a busy machine the bursts of the kernel's
// token bucket hide about one step in five, so it may take three recordings.
func throttle(t *testing.T, lowered bool) {
	device := attach(t, total)
	number := run(t, "lsblk", "--noheadings", "--nodeps", "--output", "MAJ:MIN", device)
	fast, slow := limited(t, "fast", number, 40<<20), limited(t, "slow", number, 16<<20)
	// The copy is one process. Between its halves, which come from a pipe,
	// it is moved to the slower group: to set the limit of a group anew
	// would grant it what it has not used.
	pid := filepath.Join(workDir(t), "pid")
	move := ":"
	if lowered {
		move = "cat " + pid + " > " + slow
	}
	for range 3 {
		p := record(t, "sh", "-c", fmt.Sprintf(`set -e
(head -c %d /dev/zero; %s; head -c %d /dev/zero) |
sh -c 'echo $$ > %s; echo $$ > %s; exec dd of=%s bs=256k iflag=fullblock oflag=direct'`, half, move, total-half, fast, pid, device))
		if found := stepAt(t, p, filepath.Base(device), half, lowered); found == lowered {
			return
		}
	}
	t.Error("the step was not found in three recordings")
}

// limited makes a control group with a limit for writes to a device and
// returns the file that takes its processes.
func limited(t *testing.T, name, number string, rate int64) string {
	t.Helper()
	group := filepath.Join(blkio, fmt.Sprintf("iotrace-corpus-%s-%d", name, os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(group); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(group, "blkio.throttle.write_bps_device"), fmt.Appendf(nil, "%s %d", number, rate), 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(group, "cgroup.procs")
}

// stepAt reports whether there is a change point of what was written to the
// device, and checks that it is the wanted one: at that byte, two chunks more
// or less, and downwards.
func stepAt(t *testing.T, p *analyzer.Profile, device string, at int64, wanted bool) bool {
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
		t.Logf("%s: at %.1f MiB (chunks of %.1f), %.0f → %.0f MB/s", series, float64(s.AtBytes)/(1<<20), float64(chunk)/(1<<20), float64(s.Before)/1e6, float64(s.After)/1e6)
		switch {
		case !wanted:
			t.Error("a step where there was none")
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
