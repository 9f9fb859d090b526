package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestResetQueue: what somebody set before does not stay, whichever scheduler was there meanwhile.
func TestResetQueue(t *testing.T) {
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
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", device).Run() })
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
