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
// point at that byte. Without that there is none.
func TestThrottle(t *testing.T) {
	needPrivilege(t)
	if _, err := os.Stat(filepath.Join(blkio, "blkio.throttle.write_bps_device")); err != nil {
		t.Skip("no blkio throttle (version 1 of control groups)")
	}
	needPrograms(t, "dd")
	const (
		total = 96 << 20
		half  = 48 << 20
	)
	for _, c := range []struct {
		name string
		then int64 // bytes/s of the second half
	}{{"throttled", 40 << 20}, {"even", 160 << 20}} {
		t.Run(c.name, func(t *testing.T) {
			device := attach(t, 2*total)
			group := filepath.Join(blkio, fmt.Sprintf("iotrace-corpus-%d", os.Getpid()))
			if err := os.Mkdir(group, 0o755); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := os.Remove(group); err != nil {
					t.Error(err)
				}
			})
			number := run(t, "lsblk", "--noheadings", "--nodeps", "--output", "MAJ:MIN", device)
			// The whole copy is one process and one stream of requests; between
			// its halves, which dd reads from a pipe, the limit is set anew.
			limit := func(rate int64) string {
				return fmt.Sprintf("echo %s %d > %s/blkio.throttle.write_bps_device", number, rate, group)
			}
			script := fmt.Sprintf(`set -e
%s
(head -c %d /dev/zero; %s; head -c %d /dev/zero) |
sh -c 'echo $$ > %s/cgroup.procs; exec dd of=%s bs=512k iflag=fullblock oflag=direct'`,
				limit(160<<20), half, limit(c.then), total-half, group, device)
			p := record(t, "sh", "-c", script)
			checkSteps(t, p, filepath.Base(device), half, c.then < 160<<20)
		})
	}
}

// checkSteps looks for one change point at a byte of what was written to the
// device, two chunks more or less, and for none on any other series of it.
func checkSteps(t *testing.T, p *analyzer.Profile, device string, at int64, wanted bool) {
	t.Helper()
	for _, series := range []string{"call write", "device write"} {
		chunk := int64(0)
		for _, f := range p.Phases {
			if f.Series == series && (f.Device == "" || f.Device == device) {
				chunk = f.Chunk
			}
		}
		if chunk == 0 {
			t.Fatalf("no phases of %s", series)
		}
		var steps []analyzer.Step
		for _, s := range p.ChangePoints {
			if s.Series == series && (s.Device == "" || s.Device == device) {
				steps = append(steps, s)
			}
		}
		for _, s := range steps {
			t.Logf("%s: at %.1f MiB (chunks of %.1f), %.0f → %.0f MB/s", series, float64(s.AtBytes)/(1<<20), float64(chunk)/(1<<20), float64(s.Before)/1e6, float64(s.After)/1e6)
		}
		switch {
		case !wanted && len(steps) > 0, wanted && len(steps) != 1:
			t.Errorf("%s: %d change points", series, len(steps))
		case wanted && max(steps[0].AtBytes-at, at-steps[0].AtBytes) > 2*chunk:
			t.Errorf("%s: the step is at %d, want %d, 2 chunks of %d more or less", series, steps[0].AtBytes, at, chunk)
		case wanted && steps[0].Ratio >= 1:
			t.Errorf("%s: it became faster, %v times", series, steps[0].Ratio)
		}
	}
}
