// Package copies finds the files whose data became the data of others. The evidence flows one way.
//
// While the trace is read, transfers*.go keep who read, wrote and mapped what, session by session. They also keep
// which of the bytes that were written may be which that were read, and judge nothing. At the end it is decided which
// of that are copies and why (find.go, and what that calls: no time and no device). Then each is described with its
// times, its devices and its bounds.
//
// It is a package of its own, as every collector is: none knows another.
package copies

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
)

// Collector finds the copies.
type Collector struct {
	survey    *survey.Survey
	transfers *gatherer
	sums      world.Table[fileSums]
	blocks    blocks
	safety    safety
	most      int // copies that are listed
}

// New makes a collector that lists the largest copies, up to a number of them.
func New(s *survey.Survey, most int) *Collector {
	return &Collector{
		survey: s, transfers: newGatherer(s.Writes), blocks: blocks{of: map[*world.File]*fileBlocks{}}, most: most,
		safety: safety{darwin: s.Header.OS == "darwin", survey: s},
	}
}

// NoData enters what begins or ends a transfer.
func (a *Collector) NoData(e *world.Call) {
	operation(&a.sums, e.File, e.Op, e.Duration, e.Result < 0)
	a.safety.call(e.File, e.Op, e.Flags, e.Start, e.End(), e.Result)
	if e.File2 != e.File {
		operation(&a.sums, e.File2, e.Op, e.Duration, e.Result < 0)
	}
	if e.Result >= 0 && e.File != nil {
		a.transfers.Call(e)
	}
}

// Async enters an asynchronous operation on durability or a name.
func (a *Collector) Async(e *world.Async) {
	operation(&a.sums, e.File, e.Op, max(e.Complete-e.Submit, 0), e.Result < 0)
	if e.File2 != e.File {
		operation(&a.sums, e.File2, e.Op, max(e.Complete-e.Submit, 0), e.Result < 0)
	}
	a.safety.call(e.File, e.Op, e.Flags, e.Submit, e.Complete, e.Result)
}

// Request enters what the devices read and wrote of files.
func (a *Collector) Request(e *world.Request) {
	for i := range e.Pieces {
		x := &e.Pieces[i]
		a.sums.Of(x.File.Number).request(e, x.Bytes)
		if a.survey.WroteData() { // else there are no copies
			a.blocks.request(e.Request, x.File, x.At, x.Bytes)
		}
	}
}

// Life enters which processes ran before the recording began.
func (a *Collector) Life(e *world.Life) { a.transfers.Life(e) }

// Access enters data that was moved.
func (a *Collector) Access(x *world.Access) {
	if out, _ := x.Out(); x.Writes {
		a.safety.write(out, x.End, x.Synced())
	}
	a.transfers.Access(x)
}

// Finish lists the copies, and what follows from them.
func (a *Collector) Finish(p *profile.Profile) {
	seen := a.transfers.Transfers()
	listed := map[int]*profile.File{}
	for i := range p.Files {
		listed[p.Files[i].Number] = &p.Files[i]
	}
	byFirstWrite(seen.Written)
	d := &devices{survey: a.survey, allSafe: a.survey.Durable(), listed: listed, sums: &a.sums,
		blocks: &a.blocks, safety: &a.safety, written: seen.Written}
	r := &reporter{survey: a.survey, sums: &a.sums, written: seen.Written, devices: d}
	list := []profile.Copy{}
	peers := pair(seen.Streams)
	peers.mark(listed)
	for _, f := range findCopies(seen, peers, a.survey.Files, a.survey.End.Contents) {
		list = append(list, r.copy(&f))
	}
	listCopies(p, list, a.most)
	fitSizes(p, seen)
	listBounds(p)
	if seen.Full {
		p.Warnings = append(p.Warnings, profile.Warning{
			Code: "copies_omitted", Affects: []string{"/copies"},
			Text: fmt.Sprintf("More than %d transfers were seen; copies that began later are not reported.", mostSessions),
		})
	}
	d.warn(p)
}
