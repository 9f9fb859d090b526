package tracer

import (
	"os/exec"
	"syscall"
	"testing"

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
