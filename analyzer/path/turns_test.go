package path

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
)

// Threads of one process that take turns on the path are counted; a thread that goes on is no turn, nor is a
// thread of another process, or one of the kernel.
func TestTurns(t *testing.T) {
	s := &survey.Survey{Files: world.NewFiles()}
	s.Threads = map[uint32]*survey.ThreadSurvey{1: {PID: 1, Events: 1}, 2: {PID: 1, Events: 1}, 3: {PID: 1,
		Events: 1}, 9: {PID: 9, Events: 1}}
	for _, c := range []struct {
		name    string
		threads []uint32
		want    int64
		lead    int64
	}{
		{"one thread", []uint32{1, 1, 1, 1}, 0, 40},
		{"a loop and its pool", []uint32{1, 2, 1, 3, 3, 1}, 4, 30},
		{"two processes", []uint32{1, 9, 1, 9}, 0, 20},
		{"the kernel between", []uint32{1, 77, 2}, 0, 10},
	} {
		x := &Collector{Names: NamesOf(s, nil), changes: changes{most: maxChanges}}
		x.account = NewAccount(x.Label)
		at := int64(1000)
		for _, thread := range c.threads {
			x.add(&Segment{What: Runs, Thread: thread, From: at - 10, To: at})
			at -= 10
		}
		if x.turns != c.want {
			t.Errorf("%s: %d turns, want %d", c.name, x.turns, c.want)
		}
		if got := x.lead(); got != c.lead {
			t.Errorf("%s: one thread ran for %d, want %d", c.name, got, c.lead)
		}
	}
}
