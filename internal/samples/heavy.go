package samples

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Heavy are traces that a recorder could have written, whose events ask as much of a reader as so many bytes can: of
// which each is late, or of another file, process, thread or device, or of another place.
var Heavy = map[string]func(w *Load){
	"equal": func(w *Load) { w.call(trace.Syscall{Start: w.now, Op: trace.OpRead, File: 1, Result: 4096}) },
	"late": func(w *Load) {
		w.call(trace.Syscall{Start: int64(w.n) % 7, Duration: w.now, TID: uint32(w.n % 4000), Op: trace.OpWrite,
			File: w.file(64), Offset: w.place(), Result: 4096})
	},
	"backwards": func(w *Load) {
		w.call(trace.Syscall{Start: 1<<50 - w.now, Duration: 100, Op: trace.OpRead, File: w.file(64), Offset: w.place(),
			Result: w.below(1 << 20)})
	},
	"threads": func(w *Load) {
		w.call(trace.Syscall{Start: w.now / 2, Duration: w.now / 3, PID: uint32(w.n), TID: uint32(w.n), Op: trace.OpRead,
			File: w.file(8), Offset: w.place(), Result: 1 << 16})
	},
	"places": func(w *Load) {
		w.call(trace.Syscall{Start: w.now, Duration: 5, Op: trace.OpWrite, File: w.file(3), Offset: w.below(1 << 60),
			Requested: 1, Result: 1})
	},
	"sizes": func(w *Load) {
		w.call(trace.Syscall{Start: w.now, Duration: w.below(1 << 30), Op: trace.OpCopyRange, File: w.file(100),
			File2: w.file(100), Offset: w.below(1 << 62), Offset2: w.below(1 << 62), Requested: 1 << 40,
			Result: w.below(1 << 31)})
	},
	"copies": func(w *Load) {
		from, size := w.file(3000), w.below(1<<17)+1
		at := w.below(1<<20) << 12
		w.call(trace.Syscall{Start: w.now, Duration: 3, TID: uint32(w.n % 50), Op: trace.OpRead, File: from, Offset: at,
			Result: size, Buffer: uint64(w.n) << 12})
		w.call(trace.Syscall{Start: w.now + 4, Duration: 3, TID: uint32(w.n % 50), Op: trace.OpWrite, File: from + 3000,
			Offset: at, Result: size, Buffer: uint64(w.n) << 12})
	},
	"files": func(w *Load) {
		f := w.named("/d" + fmt.Sprint(w.rng.IntN(1000)) + "/" + fmt.Sprint(w.rng.Uint64()))
		w.call(trace.Syscall{Start: w.now, Duration: 9, Op: trace.OpRead, File: f, Result: 100})
		w.call(trace.Syscall{Start: w.now + 10, Duration: 9, Op: trace.OpWrite, File: f - 1, Result: 100})
	},
	"names": func(w *Load) {
		var deep strings.Builder
		for deep.Len() < 4000 {
			fmt.Fprintf(&deep, "/%c%c", 'a'+rune(w.rng.IntN(26)), 'a'+rune(w.rng.IntN(26)))
		}
		w.call(trace.Syscall{Start: w.now, Duration: 9, Op: trace.OpOpen, File: w.named(deep.String()), Result: 3})
	},
	"processes": func(w *Load) {
		pid := uint32(w.n + 10)
		w.process(trace.Process{Time: w.now, Action: trace.ProcessFork, PID: pid, TID: pid, Parent: pid - 1, Command: "x"})
		w.process(trace.Process{Time: w.now + 1, Action: trace.ProcessExec, PID: pid, TID: pid, Command: "y", Exe: "/bin/" +
			fmt.Sprint(w.rng.IntN(9999)), Args: "a\x00b"})
		w.call(trace.Syscall{Start: w.now + 2, Duration: 3, PID: pid, TID: pid, Op: trace.OpRead,
			File: w.file(40), Result: 10})
		w.process(trace.Process{Time: w.now + 9, Action: trace.ProcessExit, PID: pid, TID: pid, CPU: 5})
	},
	"devices": func(w *Load) {
		id := trace.DeviceID(w.n + 2)
		w.device(trace.Device{Time: w.now, ID: id, Name: fmt.Sprint("d", w.rng.Uint32()), Parents: []trace.DeviceID{id - 1,
			id / 2, id + 1, trace.DeviceID(w.below(1 << 12))}})
		w.request(trace.Request{Queued: w.now, Issued: w.now + 1, Completed: w.now + 3, Device: id,
			Sector: uint64(w.below(1 << 40)), Bytes: 4096, File: 1})
	},
	"requests": func(w *Load) {
		w.request(trace.Request{Queued: w.now - w.below(1<<20), Issued: w.now, Completed: w.now + w.below(1<<30),
			Device: trace.DeviceID(1 + w.n%9), Sector: uint64(w.below(1 << 50)), Bytes: w.below(1 << 22),
			Op: trace.ReqOp(w.n % 2), File: w.file(500), Offset: w.below(1 << 40), TID: uint32(w.n % 100)})
	},
	"pieces": func(w *Load) {
		r := trace.Request{Queued: w.now, Issued: w.now, Completed: w.now + 9, Device: 1, Bytes: 1 << 20,
			Op: trace.ReqWrite, File: 1}
		for range 255 {
			r.More = append(r.More, trace.Extent{File: w.file(9000), Offset: w.below(1 << 50), Bytes: 4096})
		}
		w.request(r)
	},
	"cold": func(w *Load) {
		at, tid, big := w.place(), uint32(1+w.n%8), int64(4096)
		if w.n%1000 == 0 {
			big = 1 << 30
		}
		w.request(trace.Request{Queued: w.now + 1, Issued: w.now + 1, Completed: w.now + 900, Device: 1,
			Sector: uint64(at / 512), Bytes: big, File: 1, Offset: at, TID: tid})
		w.wait(trace.Wait{Start: w.now + 2, Duration: 900, PID: 1, TID: tid, Cause: trace.WaitIO})
		w.call(trace.Syscall{Start: w.now, Duration: 950, TID: tid, Op: trace.OpRead, File: 1, Offset: at, Result: big})
	},
	"syncs": func(w *Load) {
		w.request(trace.Request{Queued: w.now, Issued: w.now, Completed: w.now + 900, Device: 1, Sector: uint64(w.n * 8),
			Bytes: 4096, Op: trace.ReqWrite, File: 1, Offset: int64(w.n) << 12, TID: 9})
		w.call(trace.Syscall{Start: w.now / 2, Duration: w.now / 2, TID: uint32(1 + w.n%100), Op: trace.OpSync, File: 1})
	},
	"forks": func(w *Load) {
		tid := uint32(w.n + 10)
		w.process(trace.Process{Time: w.now, Action: trace.ProcessFork, PID: 1, TID: tid, Parent: uint32(1 + w.n%3)})
		w.wait(trace.Wait{Start: w.now, Duration: 2e6, PID: 1, TID: tid, Cause: trace.WaitOther})
		w.wait(trace.Wait{Start: w.now, Duration: 2e6, PID: 1, TID: uint32(1 + w.n%3), Cause: trace.WaitOther})
	},
	"waits": func(w *Load) {
		w.wait(trace.Wait{Start: w.now / 2, Duration: w.now/2 - w.below(w.now/4+1), PID: 1, TID: uint32(w.n % 3000),
			Cause: trace.WaitCause(1 + w.n%4)})
	},
}

// Load is a trace in the making.
type Load struct {
	n   int   // events of its kind so far
	now int64 // ns
	rng *rand.Rand
	w   *tracefile.Writer
	err error
	of  trace.FileID // files that were named
}

// HeavyTrace is a trace of a kind of Heavy that has at least so many bytes, or so many events.
func HeavyTrace(kind string, size, events int) ([]byte, error) {
	var out bytes.Buffer
	w, err := tracefile.NewWriter(&out, trace.Header{Scope: "command", PIDs: []uint32{1}})
	if err != nil {
		return nil, err
	}
	l := &Load{rng: rand.New(rand.NewPCG(1, 2)), w: w}
	l.process(trace.Process{Action: trace.ProcessExec, PID: 1, TID: 1, Command: "heavy", Exe: "/bin/heavy"})
	l.device(trace.Device{ID: 1, Name: "disk"})
	for range 10_000 {
		l.named(fmt.Sprint("/some/file", l.of))
	}
	for l.err == nil && out.Len() < size && l.n < events {
		for range 256 {
			l.now += 1000
			Heavy[kind](l)
			l.n++
		}
		l.err = errors.Join(l.err, w.Flush())
	}
	err = errors.Join(l.err, w.Close(trace.End{Duration: 1 << 51, CommandEnd: l.now, Durable: -1}))
	return out.Bytes(), err
}

func (l *Load) call(e trace.Syscall) {
	if e.PID == 0 {
		e.PID = 1
	}
	l.err = errors.Join(l.err, l.w.Syscall(&e))
}

func (l *Load) process(e trace.Process) { l.err = errors.Join(l.err, l.w.Process(&e)) }
func (l *Load) device(e trace.Device)   { l.err = errors.Join(l.err, l.w.Device(&e)) }
func (l *Load) request(e trace.Request) { l.err = errors.Join(l.err, l.w.Request(&e)) }
func (l *Load) wait(e trace.Wait)       { l.err = errors.Join(l.err, l.w.Wait(&e)) }

// named is a new file.
func (l *Load) named(path string) trace.FileID {
	l.of++
	l.err = errors.Join(l.err, l.w.File(&trace.File{Time: l.now, ID: l.of, Path: path, Device: 1, Inode: uint64(l.of),
		Size: 1 << 40, Type: trace.FileRegular, FSType: "ext4", Mount: "/"}))
	return l.of
}

// file is one of the first so many files.
func (l *Load) file(of int64) trace.FileID { return trace.FileID(1 + l.below(of)) }

func (l *Load) place() int64        { return l.below(1<<28) << 12 }
func (l *Load) below(n int64) int64 { return l.rng.Int64N(max(n, 1)) }
