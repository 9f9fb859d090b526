package usage

import (
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// handing is who wrote a file that the workload made and deleted, and who read it: one program that kept there what its
// memory did not hold, or one for another.
type handing struct {
	opened, wrote, read []hand
}

// hand is what a process did with such a file.
type hand struct {
	by    *world.Process
	bytes int64
}

// maxHands bounds the processes that are told apart at one end of a file.
const maxHands = 16

// add counts bytes of a process at one end.
func add(list []hand, by *world.Process, bytes int64) []hand {
	i := slices.IndexFunc(list, func(h hand) bool { return h.by == by })
	switch {
	case i >= 0:
		list[i].bytes += bytes
	case len(list) < maxHands:
		list = append(list, hand{by, bytes})
	}
	return list
}

// mayHand reports whether data may be handed over in a file.
func mayHand(f *world.File) bool {
	return f != nil && f.Listed && f.Created && f.Deleted && f.Kind == trace.FileRegular
}

// hands notes who opens, reads and writes files in which data may be handed over; of tells what is kept of one.
type hands struct{ of func(*world.File) *handing }

func (h hands) call(e *world.Call) {
	if e.Op == trace.OpOpen && e.Result >= 0 && mayHand(e.File) {
		x := h.of(e.File)
		x.opened = add(x.opened, e.Process, 0)
	}
}

func (h hands) access(x *world.Access) {
	if x.Failed || x.Bytes == 0 {
		return
	}
	if x.Reads && mayHand(x.File) {
		from := h.of(x.File)
		from.read = add(from.read, x.Process, x.Bytes)
	}
	if out, _ := x.Out(); x.Writes && mayHand(out) {
		to := h.of(out)
		to.wrote = add(to.wrote, x.Process, x.Bytes)
	}
}

// profile is what one program read of what another one had written; nil for nothing. All events were seen.
func (h *handing) profile() *profile.Handed {
	if h == nil || len(h.wrote) == 0 {
		return nil
	}
	var p profile.Handed
	most := int64(0)
	for _, r := range h.read {
		if slices.ContainsFunc(h.wrote, func(w hand) bool { return h.one(w.by, r.by) }) {
			continue
		}
		if p.Bytes += r.bytes; r.bytes > most {
			most, p.To = r.bytes, programName(r.by)
		}
	}
	if p.Bytes == 0 {
		return nil
	}
	p.From = programName(h.wrote[0].by)
	return &p
}

// one reports whether a file is of one program for the processes that wrote it and read it: threads and forks of it, or
// helpers of one kind that it opened the file for, as a sort does that has its runs compressed and expanded.
func (h *handing) one(wrote, read *world.Process) bool {
	if wrote.Program() == read.Program() {
		return true
	}
	return len(h.opened) == 1 && h.opened[0].by != wrote && h.opened[0].by != read && wrote.Exe != "" &&
		wrote.Exe == read.Exe
}

// programName is what a process is called in a sentence.
func programName(p *world.Process) string {
	if p.Command == "" {
		return path.Base(p.Exe)
	}
	return p.Command
}
