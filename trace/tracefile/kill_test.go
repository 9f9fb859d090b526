package tracefile

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// killedTrace names the trace that a child process of TestKilled writes.
const killedTrace = "IOTRACE_TEST_KILLED_TRACE"

// numbered is the event that TestKilled writes as number n.
func numbered(n int64) trace.Syscall {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	return trace.Syscall{Start: 500 * n, Duration: rng.Int64N(400), TID: 7, Op: trace.OpWrite, Offset: n,
		Result: rng.Int64()}
}

// writeUntilKilled is the child: it writes numbered events for ever, and prints
// how many it has flushed.
func writeUntilKilled(t *testing.T, path string) {
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := create(t, file, trace.Header{})
	for n := int64(0); ; n++ {
		if n%1000 == 0 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			fmt.Println("flushed", n, "events")
		}
		e := numbered(n)
		if err := w.Syscall(&e); err != nil {
			t.Fatal(err)
		}
	}
}

// A recorder that is killed at any moment leaves everything up to its last
// flush, and a trace that says that it was interrupted.
func TestKilled(t *testing.T) {
	if path := os.Getenv(killedTrace); path != "" {
		writeUntilKilled(t, path)
	}
	for range 15 {
		path := filepath.Join(t.TempDir(), "killed.iotrace")
		flushed := killAtRandom(t, path)

		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := unchecked(open(t, file))
		got := join(readAll(t, r)).Syscalls
		for i, s := range got {
			if s != numbered(int64(i)) {
				t.Fatalf("event %d is %v", i, s)
			}
		}
		if int64(len(got)) < flushed {
			t.Errorf("%d events are left of %d that were flushed", len(got), flushed)
		}
		if _, complete := r.End(); complete || len(r.Damage()) > 0 {
			t.Errorf("complete is %v, damage is %v", complete, r.Damage())
		}
	}
}

// killAtRandom lets a child write a trace, kills it, and returns how many events
// it said to have flushed.
func killAtRandom(t *testing.T, path string) (flushed int64) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	child.Env = append(os.Environ(), killedTrace+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var n int64
	rest := 1 + rand.IntN(100)
	for lines.Scan() {
		// A line that the kill cut short does not count.
		if _, err := fmt.Sscanf(lines.Text(), "flushed %d events", &n); err == nil {
			flushed = n
		}
		if rest--; rest == 0 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil || rest > 0 {
		t.Fatalf("the child was not killed: %v", err)
	}
	return flushed
}
