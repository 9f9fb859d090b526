package copies

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/copies/transfers"
	"github.com/iotrace/iotrace/analyzer/world"
)

// The programs that make runs share one pipe, thousands of them: who sends data to whom is found among those that move
// most, and no table of all pairs is made.
func TestRoutesOfASharedPipe(t *testing.T) {
	f := &world.File{}
	c := &transfers.Stream{File: f, Writers: map[*transfers.Process]int64{}, Readers: map[*transfers.Process]int64{}}
	var ends []*transfers.Process
	for i := range 3000 {
		p := &transfers.Process{Process: &world.Process{PID: uint32(i + 1)}}
		ends = append(ends, p)
		c.Writers[p], c.Readers[p] = 1, 1
	}
	c.Writers[ends[700]], c.Readers[ends[2000]] = 1<<20, 1<<20
	list := routes(map[*world.File]*transfers.Stream{f: c}, nil)
	if len(list) > maxEnds*maxEnds {
		t.Errorf("%d routes", len(list))
	}
	if r := list[0]; r.from != ends[700] || r.to != ends[2000] || r.bytes != 1<<20 {
		t.Errorf("first of all comes %d bytes from %d to %d", r.bytes, r.from.Process.PID, r.to.Process.PID)
	}
}
