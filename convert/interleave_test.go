package convert_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/convert"
)

// list is a source of times.
type list struct {
	number int
	times  []int64
	at     int // 1 is the first
	fails  error
}

func (l *list) Next() error {
	if l.at++; l.at > len(l.times) {
		if l.fails != nil {
			return l.fails
		}
		return io.EOF
	}
	return nil
}

func (l *list) Time() int64 { return l.times[l.at-1] }

// What comes out is what went in, sorted; of equal times the sources keep their order.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct {
			time   int64
			source int
		}
		var sources []*list
		var want, got []item
		for i := range rapid.IntRange(0, 6).Draw(t, "sources") {
			times := rapid.SliceOfN(rapid.Int64Range(0, 9), 0, 8).Draw(t, "times")
			slices.Sort(times)
			sources = append(sources, &list{number: i, times: times})
			for _, at := range times {
				want = append(want, item{at, i})
			}
		}
		slices.SortStableFunc(want, func(a, b item) int { return int(a.time - b.time) })
		err := convert.All(sources, func(l *list) error {
			got = append(got, item{l.Time(), l.number})
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
	})
}

// An error of a source, or of who takes, ends it.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, sources := range [][]*list{{{times: []int64{1}}, {fails: broken}}, {{times: []int64{1}, fails: broken}, {times: []int64{9}}}} {
		if err := convert.All(sources, func(*list) error { return nil }); !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	if err := convert.All([]*list{{times: []int64{1}}}, func(*list) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
