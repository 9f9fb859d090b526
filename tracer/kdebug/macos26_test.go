package kdebug_test

import (
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// A descriptor that is closed by a fork, as macOS 26 can ask for in three ways, is the parent's alone; a copy of one by
// the command that is new there is the same file.
func TestDescriptorsThatAForkCloses(t *testing.T) {
	const setFD, rdadvisev = 2, 116
	m, app := kdsim.New(macos.AppleSilicon)
	m.MakeFile("/kept", 100)
	m.MakeFile("/opened", 100)
	m.MakeFile("/set", 100)
	kept, opened, set := app.Open("/kept", kdsim.ORdwr), app.Open("/opened", kdsim.ORdwr|macos.OClofork),
		app.Open("/set", kdsim.ORdwr)
	app.Fcntl(set, setFD, macos.FDClofork, "F_SETFD")
	app.Fcntl(kept, macos.FDupFDClofork, 0, "F_DUPFD_CLOFORK") // the simulation returns 0
	app.Fcntl(kept, rdadvisev, 0x7000, "F_RDADVISEV")
	child := app.Fork()
	for _, fd := range []int32{kept, opened, set, 0} {
		child.Read(fd, 1)
		app.Read(fd, 1)
	}
	log, _ := decode(t, m, tracer.Scope{All: true}, m.Records())
	files := map[uint32][]string{}
	advice := ""
	for _, e := range log.Syscalls {
		switch {
		case e.Op == trace.OpRead:
			files[e.PID] = append(files[e.PID], log.Path(e.File))
		case kdebug.Names()[e.Call] == "fcntl(F_RDADVISEV)" && e.Op == trace.OpAdvise:
			advice = log.Path(e.File)
		}
	}
	for pid, want := range map[uint32][4]string{app.Proc.PID: {"/kept", "/opened", "/set", "/kept"},
		child.Proc.PID: {"/kept"}} {
		if got := files[pid]; len(got) != 4 || [4]string(got) != want {
			t.Errorf("process %d reads %q, want %q", pid, got, want)
		}
	}
	if advice != "/kept" {
		t.Errorf("advice to read %q", advice)
	}
}
