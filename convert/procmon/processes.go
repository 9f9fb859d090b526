package procmon

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/trace"
)

// process makes what an event says of the start or the end of a process; done is false if it is another event.
func (r *reader) process(e *trace.Syscall) (v convert.Verdict, done bool, err error) {
	switch detail := r.field(inDetail); string(r.field(inOperation)) {
	case "Process Create": // told by the parent
		v, err = r.told(e, detail)
	case "Process Start": // told by the child itself
		v, err = r.started(e, detail)
	case "Process Exit":
		v, err = r.exited(e, detail)
	default:
		return v, false, nil
	}
	return v, true, err
}

// introduce says that a process was there before, when it is first heard of.
func (r *reader) introduce(e *trace.Syscall) error {
	name := r.field(inProcess)
	if len(name) == 0 || r.known[e.PID] || len(r.known) >= convert.MaxSeen {
		return nil
	}
	r.known[e.PID] = true
	return r.sink.Process(&trace.Process{Time: e.Start, Action: trace.ProcessPresent, PID: e.PID, TID: e.PID,
		Command: string(name)})
}

func (r *reader) told(e *trace.Syscall, detail []byte) (convert.Verdict, error) {
	child, ok := convert.ParseUint(value(detail, "PID: "), 32)
	if !ok {
		return convert.Damaged, nil
	}
	if err := r.introduce(e); err != nil {
		return convert.Read, err
	}
	if len(r.created) < convert.MaxSeen {
		r.created[uint32(child)] = true
	}
	program := string(r.field(inPath))
	return convert.Read, r.begin(e.Start, uint32(child), e.PID, program[strings.LastIndexByte(program, '\\')+1:], program,
		after(detail, "Command line: "))
}

func (r *reader) started(e *trace.Syscall, detail []byte) (convert.Verdict, error) {
	parent, ok := convert.ParseUint(value(detail, "Parent PID: "), 32)
	if !ok {
		return convert.Damaged, nil
	}
	if r.created[e.PID] { // its parent has told of it
		delete(r.created, e.PID)
		return convert.Skipped, nil
	}
	line, _, _ := bytes.Cut(after(detail, "Command line: "), []byte(", Current directory: "))
	return convert.Read, r.begin(e.Start, e.PID, uint32(parent), string(r.field(inProcess)),
		string(r.field(inImage)), line)
}

// begin makes the events of a new process: on Windows one is made and given its program at once.
func (r *reader) begin(at int64, pid, parent uint32, name, program string, line []byte) error {
	if len(r.known) < convert.MaxSeen {
		r.known[pid] = true
	}
	p := trace.Process{Time: at, Action: trace.ProcessFork, PID: pid, TID: pid, Parent: parent, Command: name}
	if err := r.sink.Process(&p); err != nil {
		return err
	}
	p.Action, p.Exe, p.Args = trace.ProcessExec, program, strings.Join(arguments(string(line)), "\x00")
	return r.sink.Process(&p)
}

func (r *reader) exited(e *trace.Syscall, detail []byte) (convert.Verdict, error) {
	status, err := strconv.ParseInt(string(value(detail, "Exit Status: ")), 10, 64)
	if err != nil {
		return convert.Damaged, nil
	}
	if err := r.introduce(e); err != nil {
		return convert.Read, err
	}
	p := trace.Process{Time: e.Start, Action: trace.ProcessExit, PID: e.PID, TID: e.PID, Status: waitStatus(status),
		Command: string(r.field(inProcess))}
	for _, label := range []string{"User Time: ", "Kernel Time: "} {
		text, _, _ := bytes.Cut(after(detail, label), []byte(" seconds"))
		if ns, ok := seconds(text); ok {
			p.CPU += ns
		}
	}
	return convert.Read, r.sink.Process(&p)
}

// waitStatus is an exit code as waitpid would report it. It has 8 bits there, 32 on Windows: longer ones, those of
// exceptions among them, become 255.
func waitStatus(code int64) int32 {
	if code < 0 || code > 255 {
		code = 255
	}
	return int32(code) << 8
}
