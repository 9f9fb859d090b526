package generator

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
)

// TestQuotaUsedUp works in a subvolume whose quota is smaller than the file.
// btrfs holds root to it too.
func TestQuotaUsedUp(t *testing.T) {
	mount, _ := loopFS(t, "btrfs", 512*mib)
	dir := filepath.Join(mount, "small")
	for _, args := range [][]string{{"quota", "enable", mount}, {"subvolume", "create", dir},
		{"qgroup", "limit", "24m", dir}} {
		if out, err := exec.Command("btrfs", args...).CombinedOutput(); err != nil {
			testenv.Missing(t, "btrfs %v: %v\n%s", args, err, out)
		}
	}
	for _, name := range []string{"dd/zero-direct", "dd/zero-buffered", "copy/loop-128k"} {
		b, err := New(Config{Patterns: []baseline.Pattern{straced(t, name, 32*mib)}, Dirs: []string{dir}, KeepCaches: true})
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Run(t.Context())
		if !errors.Is(err, unix.EDQUOT) || !strings.Contains(err.Error(), "quota") ||
			!strings.Contains(err.Error(), "--size") {
			t.Errorf("%s: a quota that is used up: %v", name, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if got := testenv.Listing(t, dir); got != "" {
			t.Errorf("%s left behind: %s", name, got)
		}
	}
}

func TestMountedDeviceIsRefused(t *testing.T) {
	_, device := loopFS(t, "ext4", 64*mib)
	p, err := baseline.Lookup("snia/iops-ss")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Patterns: p, Device: device}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a mounted device: %v", err)
	}
}
