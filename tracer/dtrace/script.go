// Package dtrace records through dtrace(1): on macOS where System Integrity
// Protection leaves the probes visible, and on Linux with DTrace 2.x.
//
// Script writes the D program for a platform and for the providers that are
// there; the program prints one line an event (docs/dtrace-protocol.md); Decoder
// turns lines into events. Source runs the three together. Decoder and Script
// are the same on every system. It is a package of its own, as every recorder is: none knows another.
package dtrace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/tracer"
)

// Capability says which providers are there beside syscall.
type Capability struct {
	IO   bool // disk requests
	Proc bool // processes
}

func (c Capability) String() string {
	s := "syscall"
	if c.IO {
		s += "+io"
	}
	if c.Proc {
		s += "+proc"
	}
	return s
}

// Parameters say what a script is for.
type Parameters struct {
	Platform   Platform
	Capability Capability
	Scope      tracer.Scope
	Recorder   uint32 // process whose calls are never traced, beside dtrace itself
	BufferKiB  int    // of the principal buffer, for each CPU
	CPUs       int    // that print ticks
}

// Script writes the D program.
func Script(p Parameters) string {
	w := &writer{Parameters: p}
	w.header()
	w.begin()
	w.mark()
	w.follow()
	for _, g := range groups(p.Platform) {
		w.calls(g)
	}
	if p.Capability.IO {
		w.requests()
	}
	w.ticks()
	w.end()
	return w.b.String()
}

// group are calls with one layout.
type group struct {
	lay    *layout
	probes []string
}

// groups collects the calls of a platform by layout, in the order of the table.
func groups(p Platform) (list []group) {
	calls := linuxCalls
	if p == Darwin {
		calls = darwinCalls
	}
	for _, c := range calls {
		i := slices.IndexFunc(list, func(g group) bool { return *g.lay == *c.lay })
		if i < 0 {
			list = append(list, group{lay: c.lay})
			i = len(list) - 1
		}
		list[i].probes = append(list[i].probes, c.probe)
	}
	return list
}

type writer struct {
	Parameters
	b strings.Builder
}

func (w *writer) f(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

func (w *writer) header() {
	w.f(`#!/usr/sbin/dtrace -Zs
/*
 * iotrace - print the file calls of processes, one line each.
 *           Written for %s, providers %s.
 *
 * USAGE: dtrace -Z -x droptags -s /dev/stdin
 *
 * FIELDS: docs/dtrace-protocol.md. Numbers first, texts last, escaped by %%S,
 *         separated by tabs. Times are in ns.
 *
 * NOTES: -Z because not every version has every call. Lines are printed when a
 *        call returns, so its text is in memory by then; a text that cannot be
 *        read after all comes out empty.
 */

`, w.Platform, w.Capability)
	options := [][2]string{
		{"quiet", "only what is printed here"},
		{"switchrate=10hz", "a line is out after 0.1 s at the latest"},
		{"statusrate=10hz", "a loss is told within 0.1 s"},
		{fmt.Sprintf("bufsize=%dk", w.BufferKiB), "for each CPU"},
		{"strsize=1024", "the longest path"},
		{"dynvarsize=16m", "calls under way and processes followed"},
		{"cleanrate=50hz", "calls come and go quickly"},
	}
	if w.Platform == Linux {
		options = slices.DeleteFunc(options, func(o [2]string) bool { return o[0] == "cleanrate=50hz" })
	}
	for _, o := range options {
		w.f("/* %s */\n#pragma D option %s\n", o[1], o[0])
	}
	w.f("\n")
}

// begin prints the version line and chooses the processes that run already.
func (w *writer) begin() {
	w.f("BEGIN\n{\n")
	pids := slices.Clone(w.Scope.PIDs)
	if w.Scope.Launch != 0 {
		pids = append(pids, w.Scope.Launch)
	}
	for _, pid := range pids {
		w.f("\ttrk[%d] = 1;\n", pid)
	}
	w.f("\tprintf(\"V\\t%%d\\t%%d\\t%%d\\t%%s\\t%%s\\n\", %d, timestamp, walltimestamp, \"%s\", \"%s\");\n}\n\n",
		protocolVersion, w.Platform, w.Capability)
}

// mark answers a call that the recorder makes for this only: a line says that
// calls are being traced, which the version line alone does not.
func (w *writer) mark() {
	w.f("syscall::getpgid:entry\n/pid == %d/\n{\n\tprintf(\"M\\t%%d\\t%%d\\n\", cpu, timestamp);\n}\n\n", w.Recorder)
}

// in is the predicate of a recorded process.
func (w *writer) in() string {
	if w.Scope.All {
		return fmt.Sprintf("pid != $pid && pid != %d", w.Recorder)
	}
	return "trk[pid]"
}

// follow brings processes into scope and lets them go: by the proc provider, or
// by what the calls themselves show.
func (w *writer) follow() {
	if w.Capability.Proc {
		if !w.Scope.All { // in this order: the number may have been that of another process
			w.f("proc:::create\n{\n\ttrk[args[0]->pr_pid] = trk[pid];\n}\n\n")
		}
		w.f(
			"proc:::create\n/%s/\n{\n\tprintf(\"F\\t%%d\\t%%d\\t%%d\\t%%d\\n\", cpu, timestamp, pid, args[0]->pr_pid);\n}\n\n",
			w.in())
		w.names("proc:::exec-success", "")
		w.f("proc:::exec-success\n/%s/\n{\n\tprintf(\"X\\t%%d\\t%%d\\t%%d\\t%%S\\n\", cpu, timestamp, pid, execname);\n}\n\n",
			w.in())
		w.exit()
		return
	}
	// A child is met at its first call, if its parent still lives. The calls that
	// are traced anyway will do: a wildcard would put a probe on every call.
	entry := w.anyEntry()
	if !w.Scope.All {
		w.f("%s\n/!trk[pid] && trk[ppid]/\n{\n\ttrk[pid] = 1;\n\tprintf(\"F\\t%%d\\t%%d\\t%%d\\t%%d\\n\", cpu, timestamp, "+
			"ppid, pid);\n}\n\n", entry)
		w.names(entry, "!trk[pid] && ")
	}
	w.exec(entry)
	w.f("syscall::%s:entry\n/%s/\n{\n", w.exitCall(), w.in())
	w.f("\tprintf(\"E\\t%%d\\t%%d\\t%%d\\t1\\t%%d\\n\", cpu, timestamp, pid, (int)arg0);\n}\n\n")
}

// exec tells that a process runs another program. On Linux the call returns, to
// the new program. On macOS one that succeeds does not: the next call shows it,
// which may be one that another thread makes before it is ended.
func (w *writer) exec(entry string) {
	const line = "\tprintf(\"X\\t%%d\\t%%d\\t%%d\\t%%S\\n\", cpu, timestamp, pid, execname);\n}\n\n"
	if w.Platform == Linux {
		w.f("syscall::execve:return,\nsyscall::execveat:return\n/%s && errno == 0/\n{\n"+line, w.in())
		return
	}
	exec := "syscall::execve:%s,\nsyscall::__mac_execve:%[1]s"
	w.f(exec+"\n/%s/\n{\n\texecing[pid] = 1;\n}\n\n", "entry", w.in())
	w.f(exec+"\n/%s && errno != 0/\n{\n\texecing[pid] = 0;\n}\n\n", "return", w.in())
	w.f("%s\n/execing[pid]/\n{\n\texecing[pid] = 0;\n"+line, entry)
}

// anyEntry lists the entries of all traced calls.
func (w *writer) anyEntry() string {
	var all []string
	for _, g := range groups(w.Platform) {
		all = append(all, g.probes...)
	}
	return probes(all, "entry")
}

// exitCall is the call that ends a process; exit ends a thread on Linux.
func (w *writer) exitCall() string {
	if w.Platform == Linux {
		return "exit_group"
	}
	return "exit"
}

// exit tells the end of a process and what it passed to exit; -1 means that it
// made no such call. The provider fires as well for the first thread of a
// process that another thread of it replaces by exec; the process goes on then,
// so it stays in scope.
func (w *writer) exit() {
	w.f("syscall::%s:entry\n/%s/\n{\n\tstatus[pid] = (int)(arg0 & 0xff) + 1;\n}\n\n", w.exitCall(), w.in())
	w.f("proc:::exit\n/%s/\n{\n", w.in())
	w.f("\tprintf(\"E\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\n\", cpu, timestamp, pid, args[0], status[pid] - 1);\n" +
		"\tstatus[pid] = 0;\n}\n\n")
}

// names brings a process of a chosen name into scope. DTrace knows 15 or 16
// characters of a name.
func (w *writer) names(probe, and string) {
	if w.Scope.All || len(w.Scope.Names) == 0 {
		return
	}
	var any []string
	for _, n := range w.Scope.Names {
		q := quote(n[:min(len(n), 15)])
		if len(n) > 15 {
			any = append(any, fmt.Sprintf("substr(execname, 0, 15) == %s", q))
		} else {
			any = append(any, fmt.Sprintf("execname == %s", q))
		}
	}
	w.f("%s\n/%s(%s)/\n{\n\ttrk[pid] = 1;\n}\n\n", probe, and, strings.Join(any, " || "))
}

// quote writes a D string literal.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// probes lists the probes of a group.
func probes(names []string, point string) string {
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("syscall::" + n + ":" + point)
	}
	return b.String()
}

// calls writes the clauses of a layout: one at entry that keeps the arguments,
// one at return of each call that prints them, and between them one for each
// text, which may fail without taking the line with it.
func (w *writer) calls(g group) {
	l := g.lay
	saved := saver{}
	fd, fd2 := saved.column(l.fd, "-1"), saved.column(l.fd2, "-1")
	length, offset, flags := saved.column(l.length, "0"), saved.column(l.offset, "-1"), saved.column(l.flags, "0")
	path, path2 := saved.column(l.path, ""), saved.column(l.path2, "")
	at, at2 := saved.column(l.offsetAt, ""), saved.column(l.offset2At, "")

	only := ""
	if l.only != "" {
		only = " && " + l.only
	}
	w.f("/* %s */\n%s\n/%s%s/\n{\n\tself->ts = timestamp;\n%s}\n\n", l.name, probes(g.probes, "entry"), w.in(),
		only, saved.at)
	on := probes(g.probes, "return")
	if path+path2+at+at2 != "" {
		w.f("%s\n/self->ts/\n{\n\tthis->p = \"\";\n\tthis->q = \"\";\n\tthis->o = %s;\n\tthis->r = (int64_t)-1;\n}\n\n", on,
			"(int64_t)"+offset)
	}
	for _, s := range [][2]string{{"this->p", path}, {"this->q", path2}} {
		if s[1] != "" {
			w.f("%s\n/self->ts && %s/\n{\n\t%s = copyinstr(%s);\n}\n\n", on, s[1], s[0], s[1])
		}
	}
	for _, s := range [][2]string{{"this->o", at}, {"this->r", at2}} {
		if s[1] != "" {
			w.f("%s\n/self->ts && %s/\n{\n\t%s = *(int64_t *)copyin(%s, 8) - ((int64_t)arg1 > 0 ? (int64_t)arg1 : 0);\n}\n\n",
				on, s[1], s[0], s[1])
		}
	}
	texts, textFormat, offset2 := "", "", "-1"
	if path+path2+at+at2 != "" {
		offset, offset2 = "this->o", "this->r"
	}
	// DTrace keeps room for the longest text, whatever is in it: there is no text
	// that the call does not have, and its name is in the format, not in the data.
	switch {
	case path2 != "":
		texts, textFormat = ", this->p, this->q", "\\t%S\\t%S"
	case path != "":
		texts, textFormat = ", this->p", "\\t%S"
	}
	for i, name := range g.probes {
		w.f("%s\n/self->ts/\n{\n", probes(g.probes[i:i+1], "return"))
		w.f("\tprintf(\"C\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%x\\t%s%s\\n\",\n",
			name, textFormat)
		w.f("\t    cpu, self->ts, timestamp - self->ts, pid, tid, (int64_t)arg1, errno,\n")
		w.f("\t    (int)%s, (int)%s, (int64_t)%s, (int64_t)%s, (int64_t)%s, %s%s);\n", fd, fd2, length, offset, offset2,
			flags, texts)
		w.f("\tself->ts = 0;\n%s}\n\n", saved.free)
	}
}

// saver keeps arguments from entry to return in variables of the thread.
type saver struct {
	n    int
	at   string // assignments at entry
	free string // at return
}

// column returns the variable that holds an expression of the arguments, or
// what to print where there is none. Constants need no variable.
func (s *saver) column(expression, none string) string {
	if expression == "" {
		return none
	}
	if !strings.Contains(expression, "arg") {
		return expression
	}
	v := fmt.Sprintf("self->%c", 'a'+s.n)
	s.n++
	s.at += fmt.Sprintf("\t%s = %s;\n", v, expression)
	s.free += fmt.Sprintf("\t%s = 0;\n", v)
	return v
}

// requests writes the disk requests of the whole system: those of a process may
// be written back by another. Direction and flags are computed here because
// their bits differ between the systems.
func (w *writer) requests() {
	read, async, name := "1", "2", "args[2]->fi_pathname"
	if w.Platform == Linux {
		read, async, name = "0x40", "0x400", "\"\""
	}
	w.f("io:::start\n{\n\tprintf(\"R\\t%%d\\t%%d\\t%%d\\t%%d\\t%%x\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%S\\n\",\n")
	w.f("\t    cpu, timestamp, pid, tid, (uint64_t)arg0, args[1]->dev_major, args[1]->dev_minor, " +
		"(int64_t)args[0]->b_blkno,\n")
	w.f("\t    (int64_t)args[0]->b_bcount, args[0]->b_flags & %s ? 1 : 0, args[0]->b_flags & %s ? 1 : 0, %s);\n}\n\n",
		read, async, name)
	w.f("io:::done\n{\n\tprintf(\"D\\t%%d\\t%%d\\t%%x\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\t%%d\\n\",\n")
	w.f("\t    cpu, timestamp, (uint64_t)arg0, args[1]->dev_major, args[1]->dev_minor, (int64_t)args[0]->b_blkno,\n")
	w.f("\t    (int64_t)args[0]->b_bcount, (int64_t)args[0]->b_resid, args[0]->b_error);\n}\n\n")
}

// ticks writes a line on every CPU ten times a second where lines of different
// CPUs come out unsorted: no line of a CPU comes after its tick that is older.
// They are numbered, so that dropped ticks are told from dropped events. macOS
// sorts the lines itself.
func (w *writer) ticks() {
	if w.Platform == Linux {
		w.f("profile-10hz\n{\n\tticks[cpu]++;\n\tprintf(\"T\\t%%d\\t%%d\\t%%d\\n\", cpu, timestamp, ticks[cpu]);\n}\n\n")
	}
}

// end closes the text. A CPU with nothing to do has no ticks, so none need come
// after those that it dropped: the number of the one that would be next is told.
func (w *writer) end() {
	w.f("END\n{\n")
	if w.Platform == Linux {
		for cpu := range w.CPUs {
			w.f("\tprintf(\"T\\t%%d\\t%%d\\t%%d\\n\", %d, timestamp, ticks[%[1]d] + 1);\n", cpu)
		}
	}
	w.f("\tprintf(\"Z\\t%%d\\n\", timestamp);\n}\n")
}
