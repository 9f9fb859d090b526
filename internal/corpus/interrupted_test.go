//go:build linux

package corpus

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestRecordingEndsFirst: a recording that ends in the middle of a copy shows
// so many bytes so far.
func TestRecordingEndsFirst(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "pv")
	dir := workDir(t)
	fill(t, filepath.Join(dir, "a"), 40<<20)
	file := filepath.Join(dir, "trace")
	_ = exec.Command(binary, append([]string{"record", "-q", "-f", "-o", file, "--duration", "1s", "--"}, in(dir, "exec pv -q -L 12m a > b")...)...).Run()
	c := soFar(t, file, dir)
	if c.DestAt != 0 || !c.Interrupted {
		t.Errorf("%d bytes at %d, interrupted %v", c.Bytes, c.DestAt, c.Interrupted)
	}
}

// soFar is the one copy of a to b, which has the bytes that were written by the
// recorded calls, but for those that had been read before.
func soFar(t *testing.T, file, dir string) profile.Copy {
	t.Helper()
	list := between(show(t, file), dir, dir)
	if len(list) != 1 || list[0].Source != filepath.Join(dir, "a") || list[0].Destination != filepath.Join(dir, "b") {
		t.Fatalf("want one copy of a to b: %+v", list)
	}
	c := list[0]
	sum := int64(0)
	for _, e := range events(t, file) {
		if e.Op == "write" && e.Path == c.Destination && e.Offset >= c.DestAt && e.Result > 0 {
			sum += e.Result
		}
	}
	if c.Bytes != sum || sum == 0 || c.Bytes >= 40<<20 {
		t.Errorf("%d bytes, the calls from there on wrote %d", c.Bytes, sum)
	}
	t.Logf("%d bytes at %d, interrupted %v, %s", c.Bytes, c.DestAt, c.Interrupted, c.Certainty)
	return c
}
