//go:build linux

package corpus

import (
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// scattered writes pages all over a file that has its room, and syncs now and then: a thread of the kernel notes in the
// log, once they are written, that they hold data. It begins when it is ready, and stays.
const scattered = `import os, random, time
f = os.open("theirs", os.O_RDWR | os.O_CREAT); os.posix_fallocate(f, 0, 64 << 20); os.fsync(f)
open("%[1]s/ready", "w"); pages = random.sample(range(64 << 8), 64 << 8)
for i, page in enumerate(pages):
    os.pwrite(f, b"y" * 4096, page << 12)
    if i %% 50 == 49: os.fsync(f); time.sleep(.02)
time.sleep(60)`

// TestLogBeside records a program that appends and syncs, alone and beside another one for which threads of the kernel
// fill most of the log of XFS, tens of times as much: the program's part is about as large as alone.
func TestLogBeside(t *testing.T) {
	needPrivilege(t)
	top := mount(t, "xfs", 512<<20)
	device := filepath.Base(source(t, top))
	own := python(`f = os.open("own", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
for i in range(60): os.write(f, b"x" * 4096); os.fsync(f); time.sleep(.02)`)
	first := amountOf(t, attempt(t, in(top, own)...), device)
	alone := first.Write.Of(profile.Metadata)
	stop := func() {}
	p := prepared(t, func() []string {
		stop() // of a recording before this one, which lost requests
		signs := workDir(t)
		run(t, "rm", "-f", top+"/theirs")
		stop = background(t, top, python(scattered, signs))
		exists(t, signs+"/ready")
		return in(top, own)
	})
	a := amountOf(t, p, device)
	if m := a.Write.Of(profile.Metadata); alone == 0 || m == 0 || m > 2*alone {
		t.Errorf("%d bytes of the log are the program's, alone it has %d: %+v", m, alone, a.Write.Reasons)
	}
}
