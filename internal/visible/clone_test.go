package visible

import (
	"reflect"
	"testing"
	"time"
)

type results struct {
	Name  string
	When  time.Time
	Lists [][]string
	Next  *results
	Any   any
	By    map[string]*float64
	Fixed [2]string
	None  []int
	Count int
}

func TestCloneShowsEveryText(t *testing.T) {
	const evil, shown = "a\x1b[2J\nb\t\\", `a\x1b[2J\nb\t\`
	n, when := 1.5, time.Unix(1, 2)
	of := func(s string) *results {
		return &results{Name: s, When: when, Lists: [][]string{{s}, nil}, Next: &results{Fixed: [2]string{s, "x"}}, Any: s,
			By: map[string]*float64{s: &n}, Count: 7}
	}
	in := of(evil)
	if got := Clone(in); !reflect.DeepEqual(got, of(shown)) {
		t.Errorf("%+v", got)
	}
	if !reflect.DeepEqual(in, of(evil)) {
		t.Errorf("the original was changed: %+v", in)
	}
	if got := Clone(any(in)); !reflect.DeepEqual(got, any(of(shown))) {
		t.Errorf("%+v", got)
	}
	if got := Clone[any](nil); got != nil {
		t.Errorf("%+v", got)
	}
	if got := Clone(Clone(in)); !reflect.DeepEqual(got, of(shown)) {
		t.Errorf("again: %+v", got)
	}
}
