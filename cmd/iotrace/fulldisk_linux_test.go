package main

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

// Where a disk fills up under a recording, both are said: that the trace is not whole, and how the command itself
// ended.
func TestFullDiskSaysHowTheCommandEnded(t *testing.T) {
	testenv.NeedRoot(t)
	testenv.NeedTools(t, "mkfs.ext4", "mount", "umount")
	dir := testenv.WorkDir(t)
	image, disk := filepath.Join(dir, "image"), filepath.Join(dir, "disk")
	if err := os.WriteFile(image, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"mkfs.ext4", "-q", "-O", "^has_journal", "-m", "0", image}, {"mkdir", disk},
		{"mount", "-o", "loop", image, disk}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	late := fakeBackend
	late.Open = func(int) (tracer.Source, error) { return &lateSource{}, nil }
	for end, want := range map[string]string{
		"exit 7":        "The command itself ended with status 7",
		"exit 0":        "The command itself ended with status 0",
		"exit 143":      "The command itself ended with status 143",
		"kill -TERM $$": "The command itself was ended by SIGTERM (status 143)",
	} {
		s, _, e := cli.FakeStreams()
		out := filepath.Join(disk, "t.iotrace")
		fill := "cat /dev/zero > " + disk + "/fill 2>&-; " + end
		status := run([]string{"record", "-q", "-o", out, "--", "sh", "-c", fill}, s, backends.List{late})
		if text := e.String(); status != cli.ExitError || !strings.Contains(text, "no space left on device") ||
			!strings.Contains(text, want) {
			t.Errorf("%s: status %d, want %d and %q:\n%s", end, status, cli.ExitError, want, text)
		}
		full := "the disk at " + disk + " (/dev/loop"
		if text := e.String(); !strings.Contains(text, full) || !strings.Contains(text, "free some of it") {
			t.Errorf("%s: no word of the disk and what to do: %s", end, text)
		}
		s, shown, _ := cli.FakeStreams()
		s.Out.(*cli.Fake).Columns = 1000
		if status := run([]string{"show", out}, s, nil); status != 0 || !strings.Contains(shown.String(), full) ||
			strings.Contains(shown.String(), "interrupted") {
			t.Errorf("%s: status %d, and the trace does not say why it ends:\n%s", end, status, shown.String())
		}
		s, _, _ = cli.FakeStreams()
		if status := run([]string{"show", "--strict", out}, s, nil); status != cli.ExitIncomplete {
			t.Errorf("%s: status %d of --strict, want %d", end, status, cli.ExitIncomplete)
		}
		for _, name := range []string{out, filepath.Join(disk, "fill")} {
			if err := os.Remove(name); err != nil {
				t.Error(err)
			}
		}
	}
}

// lateSource tells of many calls once the command has ended.
type lateSource struct{ fakeSource }

func (s *lateSource) Record(ctx context.Context, sink trace.Sink) error {
	for !exited(s.launch) {
		time.Sleep(time.Millisecond)
	}
	for i := range int64(1 << 16) { // hard to compress
		if err := sink.Syscall(&trace.Syscall{Start: i, PID: 1, Op: trace.OpRead, Offset: rand.Int64N(1 << 60),
			Result: rand.Int64N(1 << 20)}); err != nil {
			return err
		}
	}
	if err := sink.Process(&trace.Process{Time: s.Now(), Action: trace.ProcessExit, PID: s.launch, TID: s.launch,
		Command: "sh"}); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
