package analyzer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// analysis finds the copies.
type analysis struct {
	*survey
	sums    table[fileSums]
	listed  map[int]*profile.File // by number
	books   *books
	most    int      // copies that are listed
	missing []string // copies of which the devices wrote too little
}

// newCopies makes a collector that lists the largest copies, so many at most.
func newCopies(s *survey, most int) *analysis {
	return &analysis{survey: s, books: newBooks(), most: most}
}

// Call enters what begins or ends a transfer.
func (a *analysis) Call(e *call) {
	a.operation(e.file, e.Op, e.Duration, e.Result < 0)
	if e.file2 != e.file {
		a.operation(e.file2, e.Op, e.Duration, e.Result < 0)
	}
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

// Async enters an asynchronous operation on durability or a name.
func (a *analysis) Async(e *async) {
	a.operation(e.file, e.Op, max(e.Complete-e.Submit, 0), e.Result < 0)
}

// Request enters what the devices read and wrote of files.
func (a *analysis) Request(e *request) {
	for i := range e.pieces {
		x := &e.pieces[i]
		a.sums.of(x.file.number).request(e, x.bytes)
		a.books.request(e.Request, x.file, x.at, x.bytes)
	}
}

// Access enters data that was moved.
func (a *analysis) Access(x *access) { a.books.access(x, x.process) }

// Finish lists the copies, and what follows from them.
func (a *analysis) Finish(p *profile.Profile) {
	a.listed = map[int]*profile.File{}
	for i := range p.Files {
		a.listed[p.Files[i].Number] = &p.Files[i]
	}
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

// listedFile is what the profile says of a file; nothing if it is not listed.
func (a *analysis) listedFile(f *file) *profile.File {
	if p := a.listed[f.number]; p != nil {
		return p
	}
	return &profile.File{}
}
