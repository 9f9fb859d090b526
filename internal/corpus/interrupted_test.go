//go:build linux

package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

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
	_ = exec.Command(binary, append([]string{"record", "-q", "-f", "-o", file, "--duration", "1s", "--"},
		in(dir, "exec pv -q -L 12m a > b")...)...).Run()
	c := soFar(t, file, dir)
	if c.DestAt != 0 || !c.Interrupted {
		t.Errorf("%d bytes at %d, interrupted %v", c.Bytes, c.DestAt, c.Interrupted)
	}
}

// TestJoinedMidway records a copy that had begun before: the part that was seen
// of it, until the recording or the copy ends.
func TestJoinedMidway(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "pv")
	for name, flags := range map[string][]string{"the recording ends": {"--duration", "1s"}, "the copy ends": nil} {
		t.Run(name, func(t *testing.T) {
			dir := workDir(t)
			fill(t, filepath.Join(dir, "a"), 40<<20)
			pv := exec.Command("sh", "-c", "exec pv -q -L 8m a > b")
			pv.Dir = dir
			if err := pv.Start(); err != nil {
				t.Fatal(err)
			}
			defer pv.Wait()
			defer pv.Process.Kill()
			before := int64(0)
			for ; before < 4<<20; before = length(t, filepath.Join(dir, "b")) {
				time.Sleep(10 * time.Millisecond)
			}
			file := filepath.Join(dir, "trace")
			run(t, append([]string{binary, "record", "-q", "-f", "-o", file, "-p", strconv.Itoa(pv.Process.Pid)}, flags...)...)
			after := length(t, filepath.Join(dir, "b"))
			c := soFar(t, file, dir)
			if c.DestAt < before || c.DestAt+c.Bytes > after || c.HoleBytes != 0 {
				t.Errorf("%d bytes at %d, holes %d; the file had %d before and %d after", c.Bytes, c.DestAt, c.HoleBytes,
					before, after)
			}
			if whole := c.DestAt+c.Bytes == 40<<20; c.Interrupted == (flags == nil) || whole != (flags == nil) {
				t.Errorf("interrupted %v, at its end %v", c.Interrupted, whole)
			}
		})
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

func length(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
