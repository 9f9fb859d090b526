package fiojobs

import (
	"bufio"
	"fmt"
)

// settings are what a job file has: the first error of writing them is the one that is told.
type settings struct{ w *bufio.Writer }

func (s settings) comment(format string, args ...any) { fmt.Fprintf(s.w, "# "+format+"\n", args...) }

func (s settings) section(name string) { fmt.Fprintf(s.w, "\n[%s]\n", name) }

func (s settings) set(name string, value any) { fmt.Fprintf(s.w, "%s=%v\n", name, value) }

// engine chooses how fio does the operations: one after the other as a thread does, or
// so many at once as there were, through libaio if most of them came through that.
func (s settings) engine(sh *shape, depth, way int) {
	switch {
	case depth <= 1:
		s.set("ioengine", "psync")
	case 2*sh.libaio > sh.operations():
		s.set("ioengine", "libaio")
	default:
		s.set("ioengine", "io_uring")
	}
	if depth > 1 {
		s.set("iodepth", depth)
	}
	if way == direct {
		s.set("direct", 1)
	}
}
