package machine

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

// What /proc says of a process and of children that it has waited for is what getrusage(2) says.
func TestSoFar(t *testing.T) {
	const size = 64 << 16
	work := "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; " +
		"dd if=/dev/zero of=" + testenv.WorkDir(t) + "/file bs=64k count=64 conv=fsync status=none"
	if err := exec.Command("sh", "-c", work).Run(); err != nil {
		t.Fatal(err)
	}
	got := ChargeSoFar([]uint32{uint32(os.Getpid())})
	if got == nil {
		t.Fatal("nothing is known of this process")
	}
	want := *got
	want.User, want.System, want.ReadBytes, want.WrittenBytes = 0, 0, 0, 0
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			t.Fatal(err)
		}
		c := ChargeOf(&usage)
		want.User, want.System = want.User+c.User, want.System+c.System
		want.ReadBytes, want.WrittenBytes = want.ReadBytes+c.ReadBytes, want.WrittenBytes+c.WrittenBytes
	}
	const slack = 50e6 // ns: four times are rounded down to 10 ms, and some passed between the readings
	if d := want.User - got.User; d < 0 || d > slack {
		t.Errorf("user %d ns, want %d", got.User, want.User)
	}
	if d := want.System - got.System; d < 0 || d > slack {
		t.Errorf("system %d ns, want %d", got.System, want.System)
	}
	if got.ReadBytes != want.ReadBytes || got.WrittenBytes != want.WrittenBytes || got.WrittenBytes < size {
		t.Errorf("read %d, written %d; want %d and %d, at least %d", got.ReadBytes, got.WrittenBytes, want.ReadBytes,
			want.WrittenBytes, size)
	}
}

func TestTimes(t *testing.T) {
	user, system, err := times("7 (a) b ) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
	if err != nil || user != (11+13)*int64(tick) || system != (12+14)*int64(tick) {
		t.Errorf("%v and %v, %v", user, system, err)
	}
	for _, bad := range []string{"", "7 (a) S 1 2", "7 (a) S 1 2 3 4 5 6 7 8 9 10 x 12 13 14"} {
		if _, _, err := times(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestCounter(t *testing.T) {
	const text = "rchar: 9\nread_bytes: 512\nwrite_bytes: x\n"
	if n, err := counter(text, "read_bytes"); n != 512 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, name := range []string{"write_bytes", "bytes"} {
		if n, err := counter(text, name); err == nil {
			t.Errorf("%s is %d", name, n)
		}
	}
}

// One that has ended and was waited for is no reason to know nothing: its parent is charged with it. Of one whose
// parent is not among them nothing is left, and of nobody nothing is known.
func TestSoFarWhereOneHasEnded(t *testing.T) {
	child := exec.Command("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	gone, me := uint32(child.Process.Pid), uint32(os.Getpid())
	least := (child.ProcessState.UserTime() + child.ProcessState.SystemTime()).Nanoseconds() - 20e6
	for _, running := range [][]uint32{{gone, me}, {me, gone}} {
		if c := ChargeSoFar(running); c == nil || c.User+c.System < least {
			t.Errorf("%+v, the child alone took %d ns", c, least)
		}
	}
	if c := ChargeSoFar([]uint32{gone}); c != nil {
		t.Errorf("of a process that has ended: %+v", c)
	}
}
