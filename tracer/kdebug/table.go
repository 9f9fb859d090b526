package kdebug

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// maxCall is above every system call number (xnu-11417 has 558).
const maxCall = 1 << 10

// known is a row of the table of system calls, by number.
type known struct {
	ok    bool
	index uint16 // in callNames
	op    trace.Op
	shape macos.Shape
	flags trace.IOFlags
}

var (
	callNames []string
	callTable = makeTable()
	commands  = makeCommands()
)

func makeTable() (t [maxCall]known) {
	for _, c := range macos.Calls {
		t[c.Number] = known{true, addName(c.Name), c.Op, c.Shape, c.Flags}
	}
	return t
}

func makeCommands() map[uint64]known {
	m := map[uint64]known{}
	for _, c := range macos.Commands {
		m[c.Number] = known{true, addName(macos.FcntlName(c.Name)), c.Op, macos.ShapeFcntl, c.Flags}
	}
	return m
}

func addName(n string) uint16 {
	callNames = append(callNames, n)
	return uint16(len(callNames) - 1)
}

// Names returns the names of system calls, by trace.Syscall.Call.
func Names() []string { return callNames }
