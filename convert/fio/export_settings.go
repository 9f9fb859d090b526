package fio

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"
)

// settings are what a job file has: the first error of writing them is the one that is told.
type settings struct{ w *bufio.Writer }

func (s settings) comment(format string, args ...any) { fmt.Fprintf(s.w, "# "+format+"\n", args...) }

func (s settings) section(name string) { fmt.Fprintf(s.w, "\n[%s]\n", name) }

func (s settings) set(name string, value any) { fmt.Fprintf(s.w, "%s=%v\n", name, value) }

// line is the name of a trace as a job, and the name of its file, can hold it: a name with line feeds in it would have
// fio do what it says there, which may be to run programs.
func line(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) || c == unicode.ReplacementChar || c == '[' || c == ']' {
			return '_'
		}
		return c
	}, name)
}

// engine chooses how fio does the operations: one after the other as a thread does, or
// as many at once as there were, through libaio if most of them came through that.
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

// workers is how many threads the kernel has for an io_uring on a machine with two processors: four for each.
const workers = 8

// replay chooses how fio replays the operations of a log. Of several at once it counts a pause from when it has
// submitted the operation before, and loses what that takes. So what were calls of several threads is left to threads
// of the kernel, as far as there are enough of them, and pauses are shortened by what is lost nevertheless.
func (s settings) replay(sh *shape, way int) {
	depth := sh.replayed()
	s.engine(sh, depth, way)
	if depth <= 1 {
		return
	}
	if depth <= workers && 2*sh.submitted <= sh.operations() {
		s.set("force_async", 1)
	}
	if scale := sh.scale(); scale > 100 {
		s.set("replay_time_scale", scale)
	}
}
