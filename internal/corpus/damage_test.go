//go:build linux

package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDamage checks that traces with something missing are told from whole
// ones, and still say what they hold.
func TestDamage(t *testing.T) {
	needPrivilege(t)
	dir := workDir(t)
	file := filepath.Join(dir, "trace")
	fill(t, filepath.Join(dir, "a"), size)
	keep(t, file, in(dir,
		"for i in 1 2 3 4 5 6 7 8; do cat a > b$i; done; sleep 1; dd if=a of=/dev/null bs=512; cp a c")...)
	whole := show(t, file)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, code string
		b          []byte
	}{
		{"truncated", "interrupted", b[:len(b)*3/4]},
		{"a part overwritten", "damaged", append(append(append([]byte{}, b[:len(b)/2]...), make([]byte, 64)...),
			b[len(b)/2+64:]...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(file, c.b, 0o644); err != nil {
				t.Fatal(err)
			}
			p := show(t, file)
			warned(t, p, c.code)
			if n := sum(p.Trace.Events); len(p.Files) == 0 || n == 0 || n >= sum(whole.Trace.Events) {
				t.Errorf("%d files, events %v of %v", len(p.Files), p.Trace.Events, whole.Trace.Events)
			}
			for _, f := range p.Files {
				if len(f.Marks) == 0 {
					t.Fatalf("the numbers of %s carry no mark", f.Path)
				}
			}
			if text := run(t, binary, "show", file); !strings.Contains(text, "Warnings") {
				t.Errorf("the text does not warn:\n%s", text)
			}
		})
	}
}

func sum(counts map[string]uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// TestEmpty records next to nothing.
func TestEmpty(t *testing.T) {
	needPrivilege(t)
	p := record(t, "true")
	if len(p.Copies) != 0 || len(p.ChangePoints) != 0 || p.WallNS <= 0 {
		t.Errorf("%d copies, %d change points, %d ns", len(p.Copies), len(p.ChangePoints), p.WallNS)
	}
}

// TestLosses fills a buffer that is much too small.
func TestLosses(t *testing.T) {
	needPrivilege(t)
	file := filepath.Join(workDir(t), "trace")
	keep(t, file, "--buffer", "4KiB", "--", "sh", "-c",
		"for i in 1 2 3; do dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none & done; wait")
	p := show(t, file)
	if p.Lost.Kinds["syscall"] == 0 {
		t.Fatal("nothing was lost of 1.8 million calls in a buffer for a few dozen")
	}
	warned(t, p, "lost")
	for _, part := range p.Processes {
		if len(part.Marks) == 0 {
			t.Errorf("the numbers of process %d carry no mark", part.PID)
		}
	}
	if calls := p.Trace.Events["syscall"]; calls == 0 || calls+p.Lost.Kinds["syscall"] < 1_800_000 {
		t.Errorf("%d calls, %d lost; there were 1.8 million", calls, p.Lost.Kinds["syscall"])
	}
	if len(p.Lost.Slices) == 0 || p.Lost.Slices[0].ToNS <= p.Lost.Slices[0].FromNS {
		t.Errorf("when events were lost is not said: %+v", p.Lost.Slices)
	}
}

// TestInterrupted ends a recording by a signal: the trace is complete, the
// command's status is that of the signal.
func TestInterrupted(t *testing.T) {
	needPrivilege(t)
	dir := workDir(t)
	file := filepath.Join(dir, "trace")
	begun := filepath.Join(dir, "begun")
	cmd := exec.Command(binary, "record", "-q", "-o", file, "--", "sh", "-c", "echo > "+begun+"; exec sleep 100")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		if _, err := os.Stat(begun); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("exit status %d (%v), want 130", cmd.ProcessState.ExitCode(), err)
	}
	p := show(t, file)
	if p.ExitStatus != 130 || p.WallNS <= 0 || len(p.Processes) == 0 {
		t.Errorf("status %d, %d ns, %d processes", p.ExitStatus, p.WallNS, len(p.Processes))
	}
	reconcile(t, p, events(t, file))
}
