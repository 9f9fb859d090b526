package host_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
)

// asked makes this program verify a descriptor and say what came of it.
const asked = "IOTRACE_TEST_VERIFY"

func TestMain(m *testing.M) {
	switch fd := os.Getenv(asked); fd {
	case "":
		os.Exit(m.Run())
	case "own": // a pair of the child itself
		_, theirs, err := host.ParentPair()
		fmt.Println(err, host.VerifyParent(int(theirs.Fd())))
	default:
		n, _ := strconv.Atoi(fd)
		fmt.Println(host.VerifyParent(n))
	}
}

// verified runs a command, with theirs as descriptor 3, in which this program
// verifies a descriptor.
func verified(t *testing.T, theirs *os.File, fd string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), asked+"="+fd)
	c.ExtraFiles = []*os.File{theirs}
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestAChildKnowsItsParent(t *testing.T) {
	ours, theirs, err := host.ParentPair()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer theirs.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	self := os.Args[0]
	if got := verified(t, theirs, "3", self); got != "<nil>" {
		t.Errorf("a child: %s", got)
	}
	for name, got := range map[string]string{
		"a grandchild":                verified(t, theirs, "3", "sh", "-c", `"$0"; true`, self),
		"a pipe":                      verified(t, r, "3", self),
		"standard input":              verified(t, theirs, "0", self),
		"no descriptor":               verified(t, theirs, "77", self),
		"a pair of the child's own":   verified(t, theirs, "own", self),
		"a grandchild with an orphan": verified(t, theirs, "3", "sh", "-c", `"$0" & wait`, self),
	} {
		if !strings.Contains(got, host.ErrOtherParent.Error()) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A parent that runs another program is none, even if it has made the pair.
func TestAnotherProgramIsNoParent(t *testing.T) {
	other := t.TempDir() + "/other"
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(other, text, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs, err := host.ParentPair()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer theirs.Close()
	if _, err := os.Stat("/proc/self/exe"); err != nil {
		testenv.Missing(t, "needs /proc")
	}
	if got := verified(t, theirs, "3", other); !strings.Contains(got, host.ErrOtherParent.Error()) {
		t.Errorf("a child that is another program: %s", got)
	}
}

// One that has given up root still knows a parent that is root.
func TestAChildOfRootMayBeAUser(t *testing.T) {
	testenv.NeedRoot(t)
	testenv.NeedTools(t, "setpriv")
	ours, theirs, err := host.ParentPair()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	defer theirs.Close()
	self, err := os.Open(os.Args[0]) // its directory may be root's
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	c := exec.Command("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/proc/self/fd/4")
	c.Env = append(os.Environ(), asked+"=3")
	c.ExtraFiles = []*os.File{theirs, self}
	out, err := c.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "<nil>" {
		t.Errorf("%s (%v)", out, err)
	}
}
