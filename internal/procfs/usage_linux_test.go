package procfs

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// What /proc says of a process and of children that it has waited for is what getrusage(2) says.
func TestUsage(t *testing.T) {
	if err := exec.Command("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done").Run(); err != nil {
		t.Fatal(err)
	}
	u, err := UsageOf(uint32(os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	var user, system, read, written int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var of syscall.Rusage
		if err := syscall.Getrusage(who, &of); err != nil {
			t.Fatal(err)
		}
		user, system = user+of.Utime.Nano(), system+of.Stime.Nano()
		read, written = read+of.Inblock*512, written+of.Oublock*512
	}
	const slack = 50e6 // ns: four times are rounded down to 10 ms, and some passed between the readings
	if d := user - int64(u.User); d < 0 || d > slack {
		t.Errorf("user %d ns, want %d", u.User, user)
	}
	if d := system - int64(u.System); d < 0 || d > slack {
		t.Errorf("system %d ns, want %d", u.System, system)
	}
	if u.Read > read || u.Written > written || user == 0 {
		t.Errorf("read %d, written %d, want %d and %d", u.Read, u.Written, read, written)
	}
}

func TestTimes(t *testing.T) {
	user, system, err := times("7 (a) b ) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
	if err != nil || user != (11+13)*tick || system != (12+14)*tick {
		t.Errorf("%v and %v, %v", user, system, err)
	}
	for _, bad := range []string{"", "7 (a) S 1 2", "7 (a) S 1 2 3 4 5 6 7 8 9 10 x 12 13 14"} {
		if _, _, err := times(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
