package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

// Controller is the directory of a controller of control groups of version 1. It ends a test on a machine that has
// version 2 alone, whatever may be missing elsewhere: nothing that could be installed there would bring it.
func Controller(t testing.TB, name string) string {
	t.Helper()
	return controller(t, "/sys/fs/cgroup", name)
}

func controller(t testing.TB, root, name string) string {
	t.Helper()
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if _, err := os.Stat(filepath.Join(root, "cgroup.controllers")); err == nil {
		t.Skipf("needs the controller %s of control groups of version 1; this machine has version 2", name)
	}
	Missing(t, "needs the controller %s of control groups of version 1", name)
	return ""
}
