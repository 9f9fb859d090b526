package dtrace

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"

	"github.com/iotrace/iotrace/tracer/machine"
)

// linked is a machine on which /link leads to /real.
type linked struct{ machine.System }

func (linked) Identify(*trace.File)                        {}
func (linked) Inspect(uint32) (p machine.Process, ok bool) { return p, false }
func (linked) Resolve(path string) string                  { return strings.Replace(path, "/link/", "/real/", 1) }

// A file that was removed and made again behind a symbolic link is another one.
func TestFilesBehindLinksMayBeReplaced(t *testing.T) {
	const (
		open   = "C\t0\t100\t5\t7\t7\t3\t0\t-1\t-100\t0\t-1\t-1\t42\topenat\t/link/f\\0"
		unlink = "C\t0\t200\t5\t7\t7\t0\t0\t-1\t-1\t0\t-1\t-1\t0\tunlink\t/real/f\\0"
	)
	log, d := decode(t, config{Platform: Linux, Scope: tracer.Scope{All: true}, Machine: linked{},
		Now: func() int64 { return 0 }}, open, open, unlink, open)
	if len(log.Syscalls) != 4 || d.Counts().Damaged != 0 {
		t.Fatalf("%d calls, %+v", len(log.Syscalls), d.Counts())
	}
	first, same, again := log.Syscalls[0].File, log.Syscalls[1].File, log.Syscalls[3].File
	if log.Path(first) != "/real/f" || same != first || log.Syscalls[2].File != first || log.Path(again) != "/real/f" ||
		again == first {
		t.Errorf("opened %d, %d and, after it was removed, %d of %+v", first, same, again, log.Files)
	}
}
