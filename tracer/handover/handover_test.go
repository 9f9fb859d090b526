package handover

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

const asked = "IOTRACE_TEST_HANDOVER"

// A child of the tests hands something over to the descriptor that it is told of.
func TestMain(m *testing.M) {
	if fd, err := strconv.Atoi(os.Getenv(asked)); err == nil {
		if err := Send(fd, []byte("result")); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(fd string, inherited *os.File) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asked+"="+fd)
	c.ExtraFiles = []*os.File{inherited} // descriptor 3
	return c
}

func TestAResultArrives(t *testing.T) {
	r, err := Receive()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if out, err := child("3", r.theirs).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := r.Read(true); string(got) != "result" {
		t.Errorf("%q", got)
	}
}

// A command that goes on and has handed nothing over is not waited for.
func TestACommandThatGoesOnIsNotWaitedFor(t *testing.T) {
	r, err := Receive()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := exec.Command("sleep", "60")
	c.ExtraFiles = []*os.File{r.theirs}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if got := r.Read(false); len(got) != 0 {
		t.Errorf("%q", got)
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
	if out, err := child("3", w).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "handing the result over") {
		t.Errorf("%v: %s", err, out)
	}
}
