//go:build linux

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// smallOnes are what another program does while one is recorded: little data, and much that a file system writes for
// it.
var smallOnes = []struct{ name, program string }{
	{"appends", `f = os.open("theirs", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
for i in range(300): os.write(f, b"x" * 3000); os.fsync(f)`},
	{"new files", `for i in range(150):
    f = os.open("new%d" % i, os.O_CREAT | os.O_WRONLY); os.write(f, b"x" * 5000); os.fsync(f); os.close(f)`},
	{"replaced", `for i in range(120):
    f = os.open("fresh", os.O_CREAT | os.O_WRONLY); os.write(f, b"x" * 9000); os.fsync(f); os.close(f)
    os.rename("fresh", "state"); d = os.open(".", os.O_RDONLY); os.fsync(d); os.close(d)`},
}

// besideSmall are recorded programs beside it, with the directory of the signs: one that has done its work before, and
// one that syncs meanwhile.
var besideSmall = []struct{ name, script string }{
	{"before", "dd if=/dev/zero of=own bs=64k count=64 oflag=direct; dd if=/dev/zero of=more bs=1M count=4 conv=fsync; " +
		"touch %s/begun; while ! [ -e %[1]s/done ]; do sleep .02; done"},
	{"meanwhile", python(`f = os.open("own", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
open("%%[1]s/begun", "w")
for i in range(100): os.write(f, b"y" * 4096); os.fsync(f); time.sleep(.002)
while not os.path.exists("%%[1]s/done"): time.sleep(.02)`)},
}

// TestOthersSmall has another program write little at a time, and sync that, beside a recorded one. What others are
// said to have written is what the other one writes alone, or what is written beyond what the recorded one writes
// alone. Where both sync at the same time, neither is a measure on ext4 and btrfs: files that grow side by side lie in
// more pieces, and logs have blocks of both. There it is what the kernel's own event log says of the same minute.
func TestOthersSmall(t *testing.T) {
	needPrivilege(t)
	for _, fs := range []string{"ext4", "xfs", "btrfs"} {
		for _, theirs := range smallOnes {
			for i, own := range besideSmall { // the first one is done before
				t.Run(fs+"/"+theirs.name+"/"+own.name, func(t *testing.T) {
					top := mount(t, fs, 512<<20)
					if w := witnesses[fs]; i > 0 && w != nil {
						othersWitnessed(t, top, theirs.program, own.script, w)
					} else {
						othersSmall(t, top, theirs.program, own.script)
					}
				})
			}
		}
	}
}

func othersSmall(t *testing.T, top, theirs, own string) {
	t.Helper()
	device := filepath.Base(source(t, top))
	alone := func(args ...string) int64 {
		cleared(t, top)
		before := written(t, device)
		run(t, args...)
		return written(t, device) - before
	}
	signs := workDir(t)
	run(t, "touch", signs+"/done")
	ours := alone(in(top, fmt.Sprintf(own, signs))...)
	other := alone(in(top, python("%s", theirs))...)
	p, _ := recordedBeside(t, top, theirs, own, func() {})
	a := amountOf(t, p, device)
	said, beyond := a.Write.Of(profile.ByOther), a.Write.Device-ours
	t.Logf("others %d; alone %d, beyond %d; all %d, ours alone %d", said, other, beyond, a.Write.Device, ours)
	if from, to := min(other, beyond), max(other, beyond); 20*said < 19*from || 20*said > 21*to {
		t.Errorf("others are said to have written %d bytes, which are %d alone and %d beyond the recorded program's: %+v",
			said, other, beyond, a.Write.Reasons)
	}
}

// recordedBeside records a program beside another one, of which it returns the number. What is to be done as both are
// about to begin is done before each attempt.
func recordedBeside(t *testing.T, top, theirs, own string, begins func()) (p *profile.Profile, pid string) {
	t.Helper()
	stop := func() {}
	var signs string
	p = prepared(t, func() []string {
		stop() // of a recording before this one, which lost requests
		cleared(t, top)
		signs = workDir(t)
		stop = background(t, top, python(stays, signs, theirs))
		exists(t, signs+"/ready")
		begins()
		return in(top, fmt.Sprintf(own, signs))
	})
	text, err := os.ReadFile(signs + "/ready")
	if err != nil {
		t.Fatal(err)
	}
	return p, string(text)
}

// cleared leaves a file system with one file, cold, and nothing to write.
func cleared(t *testing.T, top string) {
	t.Helper()
	run(t, "sh", "-c", "cd "+top+"; rm -f *; touch cold; sync -f .")
	run(t, "fsfreeze", "--freeze", top)
	run(t, "fsfreeze", "--unfreeze", top)
}
