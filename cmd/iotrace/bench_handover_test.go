package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

const askedHandover = "IOTRACE_TEST_HANDOVER"

// handOver makes this program a child of the tests that hands something over to the descriptor that it is told of.
func handOver() {
	fd, err := strconv.Atoi(os.Getenv(askedHandover))
	if err != nil {
		return
	}
	if err := send(fd, "result"); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

func handoverChild(fd string, inherited *os.File) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), askedHandover+"="+fd)
	c.ExtraFiles = []*os.File{inherited} // descriptor 3
	return c
}

func TestAResultArrives(t *testing.T) {
	r, err := receive()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if out, err := handoverChild("3", r.theirs).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got string
	if err := r.Read(true, &got); err != nil || got != "result" {
		t.Errorf("%q, %v", got, err)
	}
}

// A command that goes on and has handed nothing over is not waited for.
func TestACommandThatGoesOnIsNotWaitedFor(t *testing.T) {
	r, err := receive()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := exec.Command("sleep", "60")
	c.ExtraFiles = []*os.File{r.theirs}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := r.Read(false, &got); err == nil {
		t.Errorf("%q was handed over", got)
	}
	_ = c.Process.Kill()
	_ = c.Wait()
}

// Nothing is handed over to a descriptor that is not the recorder's.
func TestAStrangerGetsNothing(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if out, err := handoverChild("3", w).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "handing the result over") {
		t.Errorf("%v: %s", err, out)
	}
}
