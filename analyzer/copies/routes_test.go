package copies

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/world"
)

// The programs that make runs share one pipe, thousands of them: who sends data to whom is found among those that move
// most, and no table of all pairs is made.
func TestRoutesOfASharedPipe(t *testing.T) {
	f := &world.File{}
	c := &stream{File: f, Writers: map[*process]int64{}, Readers: map[*process]int64{}}
	var ends []*process
	for i := range 3000 {
		p := &process{Process: &world.Process{PID: uint32(i + 1)}}
		ends = append(ends, p)
		c.Writers[p], c.Readers[p] = 1, 1
	}
	c.Writers[ends[700]], c.Readers[ends[2000]] = 1<<20, 1<<20
	list := routes(strands(map[*world.File]*stream{f: c}, nil))
	if len(list) > maxEnds*maxEnds {
		t.Errorf("%d routes", len(list))
	}
	if r := list[0]; r.from != ends[700] || r.to != ends[2000] || r.bytes != 1<<20 {
		t.Errorf("first of all comes %d bytes from %d to %d", r.bytes, r.from.Process.PID, r.to.Process.PID)
	}
}
