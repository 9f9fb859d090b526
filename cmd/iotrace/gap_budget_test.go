package main

import (
	"os"
	"strings"
	"testing"
)

// TestGapBudget: what there is no time for is left out and said, with an answer all the same, and the runs are kept, of
// which a slow machine may have made none.
func TestGapBudget(t *testing.T) {
	path, dir := writeTrace(t), t.TempDir()
	out, status := runMain(t, "gap", path, "--against", "dd/zero-buffered", "--dir", dir, "--size", "1MiB", "--runs",
		"100000", "--budget", "3s", "--yes", "--quiet")
	out = strings.Join(strings.Fields(out), " ")                       // lines are wrapped
	none := strings.Contains(out, "(3.00 s); no run was made by then") // it was used up while files were prepared
	few := strings.Contains(out, "was used up before each difference was measured once (3.00 s); ")
	if status != 0 || !none && !few && !strings.Contains(out, "Because of the budget of 3.00 s") {
		t.Fatalf("status %d\n%s", status, out)
	}
	if !strings.Contains(out, "of 100000 repetitions were made") && !strings.Contains(out, "was used up before") {
		t.Error(out)
	}
	if _, err := os.Stat(path + ".gap"); !none && (err != nil || !strings.Contains(out, "the same command goes on")) {
		t.Errorf("the runs are not kept: %v\n%s", err, out)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
	if out, status = runMain(t, "gap", path, "--against", "dd/zero-buffered", "--budget", "1ms"); status != 2 {
		t.Errorf("status %d\n%s", status, out)
	}
}
