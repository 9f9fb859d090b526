package column

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// row has fields of every size, and one column of each sort.
type row struct {
	Key               uint8
	Start, Duration   int64
	Requested, Result int64
	Small             uint16
	Far               int32
	Yes               bool
	Twice             int64
	Name              string
}

var rowTable = Table[row]{
	Key(func(r *row) *uint8 { return &r.Key }),
	End(func(r *row) *int64 { return &r.Start }, func(r *row) *int64 { return &r.Duration }),
	Lasted(func(r *row) *int64 { return &r.Start }, func(r *row) *int64 { return &r.Duration }),
	Field(FromContext, func(r *row) *int64 { return &r.Requested }),
	Less(FromContext, func(r *row) *int64 { return &r.Requested }, func(r *row) *int64 { return &r.Result }),
	Field(FromZero, func(r *row) *uint16 { return &r.Small }),
	Field(FromPrevious, func(r *row) *int32 { return &r.Far }),
	Truth(func(r *row) *bool { return &r.Yes }),
	Derived(FromZero, func(r *row) int64 { return r.Twice / 2 }, func(r *row, half int64) { r.Twice = 2 * half }),
	Text[row](func(r *row) *string { return &r.Name }),
}

// What is read is what was written, whatever was in the rows before, for columns
// of one value and of many, in less than a stretch of rows and in several.
func TestRowsRoundTrip(t *testing.T) {
	var d Decoder
	rapid.Check(t, func(t *rapid.T) {
		want := make([]row, rapid.SampledFrom([]int{0, 1, 2, blockRows - 1, blockRows, blockRows + 1,
			3*blockRows + 7}).Draw(t, "rows"))
		same := rapid.Uint16().Draw(t, "columns of one value")
		number := func(column int, r int) int64 {
			if r > 0 && same>>column&1 == 1 {
				r = 0
			}
			return int64(r*r) * int64(column-3)
		}
		for i := range want {
			want[i] = row{
				Key: uint8(number(4, i)), Start: number(5, i), Duration: number(6, i), Requested: number(7, i),
				Result: number(8, i), Small: uint16(number(9, i)), Far: int32(number(1, i)), Yes: number(10, i)&1 == 1,
				Twice: 2 * number(11, i), Name: string(rune('a' + number(12, i)&7)),
			}
		}
		e := NewEncoder()
		e.Begin(len(want))
		Append(&e, rowTable, want)

		got := make([]row, len(want))
		for i := range got {
			got[i] = row{Key: 200, Start: -1, Duration: 5, Small: 9, Yes: true, Twice: 3, Name: "before"}
		}
		shown := 0
		d.Begin(len(got))
		err := Read(&d, rowTable, len(rowTable), e.Raw, got, func(stretch []row) { shown += len(stretch) })
		if err != nil {
			t.Fatal(err)
		}
		if shown != len(got) {
			t.Errorf("%d of %d rows were shown", shown, len(got))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v\ninstead of %v", got, want)
		}
	})
}

// A list may have more items than there are rows: its columns have no contexts.
func TestItemsHaveNoContexts(t *testing.T) {
	var d Decoder
	d.Begin(2)
	v := make([]uint64, 5)
	if err := readIntegers([]byte{byte(FromContext)<<4 | 1, 0, 0, 1, 2, 3, 4, 5}, v, &d.contexts); err == nil {
		t.Error("values were read relative to rows that are not there")
	}
}
