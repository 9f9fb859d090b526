package linux

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// numbers are those of an architecture by the names of golang.org/x/sys, which
// has them from the kernel's headers.
func numbers(t *testing.T, arch string) map[string]int {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		testenv.Missing(t, "go list: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "unix", "zsysnum_linux_"+arch+".go"))
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]int{}
	for _, f := range regexp.MustCompile(`SYS_(\w+)\s+= (\d+)`).FindAllStringSubmatch(string(text), -1) {
		if m[strings.ToLower(f[1])], err = strconv.Atoi(f[2]); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestNumbers(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		of := numbers(t, arch)
		for i := range Calls {
			want, there := of[Calls[i].Name]
			if n, ok := Calls[i].Number(arch); ok != there || ok && n != want {
				t.Errorf("%s has number %d on %s (%t), want %d (%t)", Calls[i].Name, n, arch, ok, want, there)
			}
		}
	}
	for _, b := range blocking {
		for arch, n := range map[string]int{"amd64": b.amd64, "arm64": b.arm64} {
			if want, there := numbers(t, arch)[b.name]; there != (n != absent) || there && n != want {
				t.Errorf("%s has number %d on %s, want %d (%t)", b.name, n, arch, want, there)
			}
		}
	}
	if _, ok := Calls[0].Number("riscv64"); ok {
		t.Error("a number on an architecture without a table")
	}
}

// A call that is not known, or not there, is waiting for something; poll of nothing sleeps.
func TestBlocked(t *testing.T) {
	for _, test := range []struct {
		arch   string
		number int
		given  bool
		want   trace.WaitCause
	}{
		{"amd64", 7, true, trace.WaitPoll}, {"amd64", 7, false, trace.WaitSleep}, {"amd64", 35, true, trace.WaitSleep},
		{"amd64", 202, false, trace.WaitFutex}, {"arm64", 98, false, trace.WaitFutex}, {"arm64", 260, true, trace.WaitChild},
		{"arm64", 7, true, trace.WaitOther}, {"amd64", 0x3fff, false, trace.WaitOther},
		{"arm64", absent, false, trace.WaitOther}, {"riscv64", 98, false, trace.WaitOther},
	} {
		if got := Blocked(test.arch, test.number, test.given, 0, 0, 1_000_000_000); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// A poll that took all the time that it was given ended without a descriptor.
func TestTimeouts(t *testing.T) {
	const forever = 0xffffffff
	for _, test := range []struct {
		number        int
		third, fourth uint32
		duration      int64
		want          trace.WaitCause
	}{
		{7, 50, 0, 49_990_000, trace.WaitTimeout}, {7, 50, 0, 20_000_000, trace.WaitPoll},
		{7, forever, 0, 1 << 40, trace.WaitPoll}, {232, 16, 50, 50_100_000, trace.WaitTimeout},
		{281, 50, forever, 50_100_000, trace.WaitPoll}, {271, 50, 50, 50_100_000, trace.WaitPoll},
	} {
		if got := Blocked("amd64", test.number, true, test.third, test.fourth, test.duration); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

func TestCallsAndShapes(t *testing.T) {
	name, used := map[string]bool{}, map[Shape]bool{}
	for _, c := range Calls {
		if name[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		name[c.Name], used[c.Shape] = true, true
		if a := c.Shape.Args(); c.Op.MovesData() && a.FD == 0 {
			t.Errorf("%s moves data of no descriptor", c.Name)
		}
	}
	for s := range Shapes {
		if !used[s] {
			t.Errorf("no call has shape %d", s)
		}
	}
}

func TestIoctls(t *testing.T) {
	for name, number := range map[string]uint32{"FICLONE": unix.FICLONE, "FICLONERANGE": unix.FICLONERANGE,
		"FIDEDUPERANGE": unix.FIDEDUPERANGE,
		"FIFREEZE":      'X'<<8 | 119 | 4<<16 | 3<<30, "BTRFS_IOC_SYNC": 0x94<<8 | 8,
		"BTRFS_IOC_WAIT_SYNC": 0x94<<8 | 22 | 8<<16 | 1<<30,
		"FITRIM":              0xc0185879, "BLKDISCARD": unix.BLKDISCARD, "BLKZEROOUT": unix.BLKZEROOUT} {
		found := false
		for _, i := range Ioctls {
			found = found || i.Name == name && i.Number == number && IoctlOp(number) == i.Op
		}
		if !found {
			t.Errorf("%s is not %#x", name, number)
		}
	}
}

func TestErrnos(t *testing.T) {
	for n := int64(1); n <= 133; n++ {
		name := unix.ErrnoName(unix.Errno(n))
		if got := Errno(name); name != "" && got != n && got != 4095 {
			t.Errorf("%s is %d, want %d", name, got, n)
		}
	}
	for name, want := range map[string]int64{"EPERM": 1, "ENOENT": 2, "ELOOP": 40, "EOPNOTSUPP": 95, "EAGAIN": 11,
		"ENOSPC": 28, "what": 4095} {
		if got := Errno(name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}
