package analyzer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// analysis finds the copies.
type analysis struct {
	*survey
	books   *books
	most    int      // copies that are listed
	missing []string // copies of which the devices wrote too little
}

// Call enters what begins or ends a transfer.
func (a *analysis) Call(e *call) {
	failed, f := e.Result < 0, e.file
	switch {
	case e.Op.MovesData() || failed || f == nil:
	case e.Op.Metadata():
		a.books.metadata(e.Syscall, f, e.process)
	case e.Op == trace.OpMmap:
		a.books.mmap(e.Syscall, f, e.process)
	case e.Op == trace.OpClone || e.Op == trace.OpCloneRange || e.Op == trace.OpCopyfile:
		a.books.clone(e.Syscall, f, e.file2, e.process)
	}
}

// Request enters what the devices read and wrote of files.
func (a *analysis) Request(e *request) {
	for i := range e.pieces {
		x := &e.pieces[i]
		a.books.request(e.Request, x.file, x.at, x.bytes)
	}
}

// Access enters data that was moved.
func (a *analysis) Access(x *access) { a.books.access(x, x.process) }

// Finish lists the copies, and what follows from them.
func (a *analysis) Finish(p *profile.Profile) {
	a.listCopies(p)
	a.fitSizes(p)
	listBounds(p)
	if a.books.full {
		p.Warnings = append(p.Warnings, profile.Warning{
			Code: "copies_omitted", Affects: []string{"/copies"},
			Text: fmt.Sprintf("More than %d transfers were seen; copies that began later are not reported.", maxSessions),
		})
	}
	a.warnOfMissing(p)
}
