package testenv

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestResetQueue: what somebody set before does not stay, whichever scheduler was there meanwhile.
func TestResetQueue(t *testing.T) {
	device := loopDevice(t)
	queue := filepath.Join("/sys/block", filepath.Base(device), "queue")
	for _, before := range []string{"none", "mq-deadline"} {
		set := exec.Command("sh", "-ec", "echo "+before+" > scheduler; echo 5 > nr_requests")
		set.Dir = queue
		if out, err := set.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", before, err, out)
		}
		if err := ResetQueue(device); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{"scheduler": "[none]", "nr_requests": "128"} {
			if got, err := os.ReadFile(filepath.Join(queue, name)); err != nil || !strings.Contains(string(got), want) {
				t.Errorf("after %s, %s is %q (%v), want %s", before, name, got, err, want)
			}
		}
	}
}

// TestResetDevice: limits that somebody set for a device of this number do not stay.
func TestResetDevice(t *testing.T) {
	device := loopDevice(t)
	number, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(device), "dev"))
	if err != nil {
		t.Fatal(err)
	}
	of := strings.TrimSpace(string(number))
	ratio, limit := "/sys/class/bdi/"+of+"/max_ratio", "/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device"
	if err := os.WriteFile(ratio, []byte("7"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(limit, []byte(of+" 1000000"), 0); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err := ResetDevice(device); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(ratio); err != nil || string(got) != "100\n" {
		t.Errorf("%q, %v", got, err)
	}
	if got, _ := os.ReadFile(limit); strings.Contains("\n"+string(got), "\n"+of+" ") {
		t.Errorf("%q", got)
	}
}

// loopDevice is one on a file, until the test ends.
func loopDevice(t *testing.T) (device string) {
	t.Helper()
	NeedRoot(t)
	NeedTools(t, "losetup")
	image := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(image, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", image).Output()
	if err != nil {
		t.Fatal(err)
	}
	device = strings.TrimSpace(string(out))
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", device).Run() })
	return device
}
