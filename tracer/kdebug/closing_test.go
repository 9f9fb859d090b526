package kdebug_test

import (
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// A close that writes back takes milliseconds, in public logs 5 to 18. Its descriptor is free at its beginning: what
// another thread opens by that number meanwhile stays open.
func TestACloseThatTakesLong(t *testing.T) {
	m, _ := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/a", mib)
	m.MakeFile("/b", mib)
	app := m.Running("app", "/")
	second := app.NewThread()
	fd := app.Open("/a", kdsim.ORdwr)
	second.Now = app.Now + 1000
	app.Close(fd)
	if second.Open("/b", kdsim.ORdwr) != fd {
		t.Fatal("the descriptor was not used again")
	}
	second.Now += 10_000_000
	second.Read(fd, 10)
	second.Close(fd)
	app.Now = second.Now
	app.Read(fd, 10) // of nothing
	records := m.Records()
	for i := range records { // the close of the first ends after the open of the second
		if r := &records[i]; r.DebugID == kdebug.CallID(6)|kdebug.FuncEnd && r.Thread == app.TID {
			r.Time += 5_000_000
		}
	}
	log, _ := decode(t, m, tracer.Scope{All: true}, inOrder(records))
	var read []string
	for _, e := range log.Syscalls {
		if e.Op == trace.OpRead {
			read = append(read, log.Path(e.File))
		}
	}
	if len(read) != 2 || read[0] != "/b" || read[1] != "" {
		t.Errorf("read %q", read)
	}
}
