// Package copies finds the files whose data became the data of others.
package copies

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Collector finds the copies.
type Collector struct {
	*survey.Survey
	sums      world.Table[fileSums]
	listed    map[int]*profile.File // by number
	transfers *transfers
	most      int      // copies that are listed
	missing   []string // copies of which the devices wrote too little
}

// New makes a collector that lists the largest copies, so many at most.
func New(s *survey.Survey, most int) *Collector {
	return &Collector{Survey: s, transfers: newTransfers(), most: most}
}

// Call enters what begins or ends a transfer.
func (a *Collector) Call(e *world.Call) {
	if e.Op.MovesData() {
		return // see Access
	}
	a.operation(e.File, e.Op, e.Duration, e.Result < 0)
	if e.File2 != e.File {
		a.operation(e.File2, e.Op, e.Duration, e.Result < 0)
	}
	failed, f := e.Result < 0, e.File
	switch {
	case failed || f == nil:
	case e.Op.Metadata():
		a.transfers.metadata(e.Syscall, f, e.Process)
	case e.Op == trace.OpMmap:
		a.transfers.mmap(e.Syscall, f, e.Process)
	case e.Op == trace.OpClone || e.Op == trace.OpCloneRange || e.Op == trace.OpCopyfile:
		a.transfers.clone(e.Syscall, f, e.File2, e.Process)
	}
}

// Async enters an asynchronous operation on durability or a name.
func (a *Collector) Async(e *world.Async) {
	a.operation(e.File, e.Op, max(e.Complete-e.Submit, 0), e.Result < 0)
}

// Request enters what the devices read and wrote of files.
func (a *Collector) Request(e *world.Request) {
	for i := range e.Pieces {
		x := &e.Pieces[i]
		a.sums.Of(x.File.Number).request(e, x.Bytes)
		a.transfers.request(e.Request, x.File, x.At, x.Bytes)
	}
}

// Access enters data that was moved.
func (a *Collector) Access(x *world.Access) { a.transfers.access(x, x.Process) }

// Finish lists the copies, and what follows from them.
func (a *Collector) Finish(p *profile.Profile) {
	a.listed = map[int]*profile.File{}
	for i := range p.Files {
		a.listed[p.Files[i].Number] = &p.Files[i]
	}
	a.listCopies(p)
	a.fitSizes(p)
	listBounds(p)
	if a.transfers.full {
		p.Warnings = append(p.Warnings, profile.Warning{
			Code: "copies_omitted", Affects: []string{"/copies"},
			Text: fmt.Sprintf("More than %d transfers were seen; copies that began later are not reported.", maxSessions),
		})
	}
	a.warnOfMissing(p)
}

// listedFile is what the profile says of a file; nothing if it is not listed.
func (a *Collector) listedFile(f *world.File) *profile.File {
	if p := a.listed[f.Number]; p != nil {
		return p
	}
	return &profile.File{}
}
