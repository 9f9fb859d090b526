package generator

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
)

// loopFS makes a file system on a loop device over a file in memory, so that no
// other use of the disk disturbs it. Needs root and the tools.
func loopFS(t *testing.T, kind string, size int64, options ...string) (dir, device string) {
	t.Helper()
	if os.Geteuid() != 0 {
		testenv.Missing(t, "loop devices need root")
	}
	image, err := os.CreateTemp("/dev/shm", "iotrace-test-")
	if err != nil {
		testenv.Missing(t, "files in memory: %v", err)
	}
	t.Cleanup(func() { os.Remove(image.Name()) })
	if err := image.Truncate(size); err != nil {
		t.Fatal(err)
	}
	image.Close()
	run := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			testenv.Missing(t, "%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	device = run("losetup", "--find", "--show", image.Name())
	t.Cleanup(func() { exec.Command("losetup", "--detach", device).Run() })
	if err := testenv.ResetDevice(device); err != nil {
		t.Fatal(err)
	}
	format := []string{"-q", device}
	if kind == "ext4" { // or its kernel thread writes to the device meanwhile
		format = append(format, "-E", "lazy_itable_init=0,lazy_journal_init=0")
	}
	run("mkfs."+kind, format...)
	if dir, err = os.MkdirTemp("", "iotrace-mount-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // other users get there, unlike to t.TempDir
		t.Fatal(err)
	}
	if err := unix.Mount(device, dir, kind, 0, strings.Join(options, ",")); err != nil {
		testenv.Missing(t, "mounting %s: %v", kind, err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir, device
}

// throttle puts this process and its children into a cgroup. The returned
// function limits what they may do with a device, in operations or bytes a
// second: limit is "rbps", "wbps", "riops" or "wiops".
func throttle(t *testing.T, device string) (set func(limit string, rate int64)) {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(device, &st); err != nil {
		t.Fatal(err)
	}
	number := fmt.Sprintf("%d:%d", unix.Major(st.Rdev), unix.Minor(st.Rdev))
	v1 := map[string]string{"rbps": "read_bps", "wbps": "write_bps", "riops": "read_iops", "wiops": "write_iops"}
	for _, c := range []struct {
		root, probe string
		line        func(limit string, rate int64) (file, text string)
	}{
		{"/sys/fs/cgroup/blkio", "blkio.throttle.write_bps_device", func(limit string, rate int64) (string, string) {
			return "blkio.throttle." + v1[limit] + "_device", fmt.Sprintf("%s %d", number, rate)
		}},
		{"/sys/fs/cgroup", "io.max", func(limit string, rate int64) (string, string) {
			return "io.max", fmt.Sprintf("%s %s=%d", number, limit, rate)
		}},
	} {
		group := filepath.Join(c.root, fmt.Sprintf("iotrace-test-%d", os.Getpid()))
		if os.Mkdir(group, 0o755) != nil {
			continue
		}
		home := filepath.Join(c.root, "cgroup.procs")
		t.Cleanup(func() {
			_ = os.WriteFile(home, fmt.Append(nil, os.Getpid()), 0)
			if err := unix.Rmdir(group); err != nil {
				t.Error(err)
			}
		})
		if _, err := os.Stat(filepath.Join(group, c.probe)); err != nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), fmt.Append(nil, os.Getpid()), 0); err != nil {
			testenv.Missing(t, "entering a cgroup: %v", err)
		}
		return func(limit string, rate int64) {
			t.Helper()
			file, text := c.line(limit, rate)
			if err := os.WriteFile(filepath.Join(group, file), []byte(text), 0); err != nil {
				t.Error(err)
			}
		}
	}
	testenv.Missing(t, "no cgroup limits the rate of a device")
	return nil
}

// TestThrottleIsFoundWhereItWasImposed limits the device to half the rate after
// a known number of bytes. Before that it is limited too, far below what memory
// gives, so that the only level the run can see besides is one that the machine
// itself cannot keep up with. Bytes are asserted, times are not.
func TestThrottleIsFoundWhereItWasImposed(t *testing.T) {
	dir, device := loopFS(t, "ext4", gib)
	limit := throttle(t, device)
	const file, at, total = 8 * mib, 160 * mib, 320 * mib
	const before, after = 80 * mib, 40 * mib // a file in each slice of 100 ms, and in every second one
	limit("wbps", before)
	s, err := NewSustained(SustainedConfig{Dir: dir, Total: total, FileSize: file})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.Run(context.Background(), func(p baseline.SustainedProgress) {
		if p.Written == at {
			limit("wbps", after)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	o := r.Passes[0].Onset
	if o == nil || o.Bytes < at-file || o.Bytes > at+file {
		t.Fatalf("imposed after %d bytes, found %+v in levels %+v", at, o, r.Passes[0].Levels)
	}
	t.Logf("imposed after %d bytes, found after %d: from %d to %d bytes/s", at, o.Bytes, o.Before, o.After)
}
