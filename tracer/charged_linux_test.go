package tracer

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
)

// A command is charged with what the kernel charges it with when nobody looks, its children with it.
func TestCharged(t *testing.T) {
	file := testenv.WorkDir(t) + "/file"
	args := []string{"sh", "-c", "dd if=/dev/zero of=" + file + " bs=64k count=64 conv=fsync status=none; true"}
	alone := exec.Command(args[0], args[1:]...)
	if err := alone.Run(); err != nil {
		t.Fatal(err)
	}
	usage := alone.ProcessState.SysUsage().(*syscall.Rusage)
	w, err := Launch(Command{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Release(); err != nil {
		t.Fatal(err)
	}
	c := w.Charged()
	t.Logf("%+v, alone %d and %d blocks", *c, usage.Inblock, usage.Oublock)
	const metadata = 1 << 20
	if want := usage.Oublock * 512; c.WrittenBytes < want-metadata || c.WrittenBytes > want+metadata {
		t.Errorf("charged with %d bytes written, alone with %d", c.WrittenBytes, want)
	}
}

// What a command has used is known while it runs, its children with it that have ended.
func TestChargedSoFar(t *testing.T) {
	dir := testenv.WorkDir(t)
	const size = 64 << 16
	w, err := Launch(Command{Args: []string{"sh", "-c", "dd if=/dev/zero of=" + dir +
		"/file bs=64k count=64 conv=fsync status=none; >" + dir + "/written; exec sleep 60"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Release(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(dir + "/written"); err == nil {
			break
		}
	}
	running := []uint32{uint32(w.PID())}
	c := chargedSoFar(running)
	if err := w.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.ExitCode() // waits for it
	if c == nil || c.WrittenBytes < size || c.WrittenBytes > 2*size {
		t.Errorf("%+v, %d bytes were written", c, size)
	}
	if c := chargedSoFar(running); c != nil {
		t.Errorf("%+v of a process that has ended", c)
	}
}
