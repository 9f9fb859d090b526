package tables

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	reader "github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// row has a column of every kind. Another implementation of the format reads what is written of it.
type row struct {
	Text    string    `parquet:"text"`
	Word    string    `parquet:"word,dict"`
	Grows   int64     `parquet:"grows,delta"`
	Some    int64     `parquet:"some,delta,optional"`
	Small   int32     `parquet:"small"`
	Natural uint32    `parquet:"natural"`
	Large   uint64    `parquet:"large"`
	Maybe   *int64    `parquet:"maybe,optional"`
	Perhaps *uint32   `parquet:"perhaps,optional"`
	Part    *float64  `parquet:"part,optional"`
	Share   float64   `parquet:"share"`
	Yes     bool      `parquet:"yes"`
	At      time.Time `parquet:"at,timestamp(microsecond)"`
	Digest  string    `parquet:"digest" table:"key"`
	hidden  int64
}

func testRows(t *rapid.T) []row {
	words := rapid.SampledFrom([]string{"", "read", "write", strings.Repeat("long ", 30), "größer"})
	n := rapid.SampledFrom([]int{0, 1, 2, 7, 8, 9, 33, 129, 300, 1000}).Draw(t, "rows")
	wide := rapid.Bool().Draw(t, "wide")
	list := make([]row, n)
	for i := range list {
		r := &list[i]
		r.Word = words.Draw(t, "word")
		r.Text = words.Draw(t, "text")
		r.Grows = int64(i) * 1000
		if wide {
			r.Grows = rapid.Int64().Draw(t, "grows")
		}
		r.Some = rapid.Int64Range(0, 3).Draw(t, "some")
		r.Small, r.Natural = rapid.Int32().Draw(t, "small"), rapid.Uint32().Draw(t, "natural")
		r.Large, r.Share = rapid.Uint64().Draw(t, "large"), rapid.Float64().Draw(t, "share")
		if rapid.Bool().Draw(t, "maybe") {
			r.Maybe, r.Perhaps, r.Part = &r.hidden, &r.Natural, &r.Share
		}
		r.Yes = rapid.Bool().Draw(t, "yes")
		r.At = time.UnixMicro(rapid.Int64Range(0, math.MaxInt32).Draw(t, "at")).UTC()
		r.Digest = "abc"
	}
	return list
}

// What is written is read again by another implementation, in any number of row groups.
func TestRowsAreReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []row
		var file bytes.Buffer
		w, err := newParquetWriter(&file, parquetColumns(reflect.TypeFor[row]()))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 3).Draw(t, "groups") {
			list := testRows(t)
			want = append(want, list...)
			if err := w.Write(listOf(list)); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		compare(t, file.Bytes(), want)
	})
}

type reporter interface {
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

func compare(t reporter, file []byte, want []row) {
	got, err := reader.Read[row](bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatalf("reading %d bytes: %v", len(file), err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows are read, of %d", len(got), len(want))
	}
	for i := range want {
		got[i].At = got[i].At.UTC()
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("row %d: %+v was written, %+v read", i, want[i], got[i])
		}
	}
	digest, err := parquetKey(bytes.NewReader(file), int64(len(file)), "digest")
	if expect := map[bool]string{true: "abc"}[len(want) > 0]; err != nil || digest != expect {
		t.Fatalf("the key is %q, %v", digest, err)
	}
}

// Pages and dictionaries that are full are followed by others.
func TestFullPages(t *testing.T) {
	list := make([]row, 200_000)
	for i := range list {
		list[i] = row{Word: strings.Repeat("w", i%40) + string(rune('a'+i%26)) + strings.Repeat("x", i%3000/100),
			Digest: "abc",
			Text:   strings.Repeat("t", i%50), Grows: int64(i), Small: int32(i), At: time.UnixMicro(int64(i)).UTC()}
		if i > 100_000 {
			list[i].Word = strings.Repeat(string(rune('a'+i%26)), 20) + time.Duration(i).String()
		}
	}
	var file bytes.Buffer
	w, err := newParquetWriter(&file, parquetColumns(reflect.TypeFor[row]()))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(listOf(list)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	compare(t, file.Bytes(), list)
	f, err := reader.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	// Readers skip row groups by their bounds.
	c := f.Metadata().RowGroups[0].Columns[4].MetaData
	if got := c.Statistics.MaxValue; !bytes.Equal(got, []byte{0x3f, 0x0d, 3, 0}) {
		t.Errorf("the greatest of %v is %x", c.PathInSchema, got)
	}
}

// A type that no column has is refused, and what is no table has no key.
func TestRefusals(t *testing.T) {
	type bad struct {
		Bytes []byte `parquet:"bytes"`
	}
	if _, err := newParquetWriter(new(bytes.Buffer), parquetColumns(reflect.TypeFor[bad]())); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("a column of bytes: %v", err)
	}
	for _, text := range []string{"", "PAR1", "PAR1\xff\xff\xff\xffPAR1", "text that is longer than that",
		"PAR1aaaaaaaa\x01\x00\x00\x00PAR2"} {
		if key, err := parquetKey(strings.NewReader(text), int64(len(text)), "digest"); err == nil {
			t.Errorf("%q has the key %q", text, key)
		}
	}
}
