package tracer

import (
	"math"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// completions takes note of when requests completed.
type completions struct {
	trace.Sink
	at []int64
}

func (c *completions) Request(e *trace.Request) error {
	c.at = append(c.at, e.Completed)
	return nil
}

// Requests pass that completed between the readings of the counters: whoever waits for the second reading keeps what
// comes meanwhile from passing.
func TestBounded(t *testing.T) {
	var c completions
	b := &bounded{Sink: &c, from: 10, until: math.MaxInt64}
	for _, at := range []int64{9, 10, 500} {
		if err := b.Request(&trace.Request{Issued: 5, Completed: at}); err != nil {
			t.Fatal(err)
		}
	}
	b.until = 600
	for _, at := range []int64{600, 601} {
		if err := b.Request(&trace.Request{Issued: 500, Completed: at}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []int64{10, 500, 600}; !slices.Equal(c.at, want) {
		t.Errorf("%v have passed, want %v", c.at, want)
	}
}
