package tracefile

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// row has fields of every size, and one column of each sort.
type row struct {
	Key       uint8  `column:"1 key"`
	Start     int64  `column:"2 end"`
	Duration  int64  `column:"3 lasted"`
	Requested int64  `column:"4"`
	Result    int64  `column:"5 less Requested"`
	Small     uint16 `column:"6 zero"`
	Far       int32  `column:"7 previous"`
	Yes       bool   `column:"8"`
	Twice     int64  `column:"9"`
	Name      string `column:"10"`
}

var rowTable = columnsOf(map[int]column[row]{
	9: derived(func(r *row) int64 { return r.Twice / 2 }, func(r *row, half int64) { r.Twice = 2 * half }),
})

// What is read is what was written, whatever was in the rows before, for columns
// of one value and of many, in less than a stretch of rows and in several.
func TestRowsRoundTrip(t *testing.T) {
	var d columnDecoder
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
		e := newColumnEncoder()
		e.Begin(len(want))
		appendRows(&e, rowTable, want)

		got := make([]row, len(want))
		for i := range got {
			got[i] = row{Key: 200, Start: -1, Duration: 5, Small: 9, Yes: true, Twice: 3, Name: "before"}
		}
		shown := 0
		d.Begin(len(got))
		err := readRows(&d, rowTable, len(rowTable), e.Raw, got, func(stretch []row) { shown += len(stretch) })
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

// call has columns that are kept: relative to nothing, to one that is kept, and to one that may be spelled out.
type call struct {
	Thread    uint16 `column:"1 key"`
	File      int32  `column:"2"`
	Requested int64  `column:"3"`
	Result    int64  `column:"4 less Requested"`
}

var callTable = columnsOf[call](nil)

// Calls that end at the same time began at different ones, also where their other columns are kept.
func TestEndsBesideKeptColumns(t *testing.T) {
	type event struct {
		Thread   uint16 `column:"1 key"`
		File     int32  `column:"4"`
		Start    int64  `column:"2 end"`
		Duration int64  `column:"3 lasted"`
	}
	table := columnsOf[event](nil)
	want := make([]event, 3*blockRows+7)
	for i := range want {
		want[i] = event{Thread: uint16(i % 2), File: 7, Start: 1000 - int64(i%50), Duration: int64(i % 50)}
	}
	want[200].File = 8
	e := newColumnEncoder()
	e.Begin(len(want))
	appendRows(&e, table, want)
	var d columnDecoder
	got := make([]event, len(want))
	d.Begin(len(got))
	if err := readRows(&d, table, len(table), e.Raw, got, nil); err != nil {
		t.Fatal(err)
	}
	if len(d.kept) == 0 {
		t.Error("no column was kept: this shows nothing")
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ninstead of %v", got, want)
	}
}

// Threads, of which some share a context, do the same again and again, and now and then something else: what is read
// is what was written, whether columns have few steps or too many to be kept.
func TestStepsRoundTrip(t *testing.T) {
	var d columnDecoder
	rapid.Check(t, func(t *rapid.T) {
		var threads [3000]call
		for i := range threads {
			threads[i] = call{uint16(i), int32(-i % 3), 512, 512}
		}
		want := make([]call, rapid.SampledFrom([]int{1, 63, blockRows, 4*blockRows + 7}).Draw(t, "rows"))
		active := rapid.SampledFrom([]int{1, 2, 50, len(threads)}).Draw(t, "threads")
		often := rapid.SampledFrom([]int{2, 50, 300}).Draw(t, "rows until something changes")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for i := range want {
			x := &threads[i*7%active]
			if random.IntN(often) == 0 {
				switch rapid.IntRange(0, 2).Draw(t, "what") {
				case 0:
					x.File = rapid.Int32().Draw(t, "file")
				case 1:
					x.Requested = rapid.Int64().Draw(t, "requested")
				case 2:
					x.Result = rapid.Int64Range(-5, 512).Draw(t, "result")
				}
			}
			want[i] = *x
		}
		e := newColumnEncoder()
		e.Begin(len(want))
		appendRows(&e, callTable, want)
		got := make([]call, len(want))
		got[0].Result = 1
		d.Begin(len(got))
		if err := readRows(&d, callTable, len(callTable), e.Raw, got, nil); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v\ninstead of %v", got, want)
		}
	})
}

// A number that its field cannot have is found in a step as well.
func TestStepOutOfRange(t *testing.T) {
	type wide struct {
		Key uint16 `column:"1 key"`
		V   int64  `column:"2"`
	}
	wideTable := columnsOf[wide](nil)
	rows := make([]wide, 2*blockRows)
	rows[blockRows+1].V = 1 << 40
	e := newColumnEncoder()
	e.Begin(len(rows))
	appendRows(&e, wideTable, rows)
	var d columnDecoder
	d.Begin(len(rows))
	if err := readRows(&d, callTable[:2], 2, e.Raw, make([]call, len(rows)), nil); err == nil {
		t.Error("a number of 40 bits was read as one of 32")
	}
}

// A list may have more items than there are rows: its columns have no contexts.
func TestItemsHaveNoContexts(t *testing.T) {
	var d columnDecoder
	d.Begin(2)
	v := make([]uint64, 5)
	if err := readIntegers([]byte{byte(FromContext)<<4 | 1, 0, 0, 1, 2, 3, 4, 5}, v, &d.contexts); err == nil {
		t.Error("values were read relative to rows that are not there")
	}
}
