package tracer

import (
	"os"
	"os/exec"
	"path/filepath"
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

// Of a command that still runs is told what it has used so far, unless others are recorded too.
func TestChargedSoFar(t *testing.T) {
	for _, all := range []bool{false, true} {
		stop := filepath.Join(t.TempDir(), "stop")
		o := options(t, newFake(), "while [ ! -e "+stop+" ]; do sleep 0.01; done")
		o.Duration, o.Scope.All = time.Millisecond, all
		o.Monitor = &Monitor{OnEnter: func(p Phase) {
			if p == Waiting {
				_ = os.WriteFile(stop, nil, 0o644)
			}
		}}
		result, err := Record(o)
		if err != nil || (result.End.Charged == nil) != all || result.End.CommandEnd != -1 {
			t.Errorf("all processes %v: charged %+v, end %+v, %v", all, result.End.Charged, result.End, err)
		}
	}
}
