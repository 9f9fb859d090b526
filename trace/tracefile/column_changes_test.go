package tracefile

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// fieldsRow has fields beside each other in one word, and columns that are compared by context only.
type fieldsRow struct {
	Key       uint8  `column:"1 key"`
	Small     uint16 `column:"2"`
	Far       int32  `column:"3"`
	Requested int64  `column:"4"`
	Result    int64  `column:"5 less Requested"`
	Last      uint32 `column:"6"`
}

var fieldsTable = columnsOf[fieldsRow](nil)

// Columns that are written without a pass over the rows are the same, byte for byte, as with one.
func TestSteadyColumnsAreTheSame(t *testing.T) {
	var encoder columnEncoder // its memory holds what was there before
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.IntRange(1, 5).Draw(t, "keys")
		rows := make([]fieldsRow, rapid.SampledFrom([]int{1, 2, 15, 16, 100, 1000}).Draw(t, "rows"))
		each := make([]fieldsRow, keys)
		for i := range each {
			each[i] = fieldsRow{
				Key: uint8(i), Small: rapid.Uint16().Draw(t, "small"), Far: rapid.Int32().Draw(t, "far"),
				Requested: rapid.Int64().Draw(t, "requested"), Result: rapid.Int64().Draw(t, "result"),
				Last: rapid.Uint32().Draw(t, "last"),
			}
		}
		change := rapid.IntRange(0, 6).Draw(t, "what changes")
		for i := range rows {
			rows[i] = each[rapid.IntRange(0, keys-1).Draw(t, "key")]
			if at := rapid.IntRange(0, len(rows)-1).Draw(t, "where"); at != i {
				continue
			}
			switch change {
			case 1:
				rows[i].Small++
			case 2:
				rows[i].Far--
			case 3:
				rows[i].Requested++
			case 4:
				rows[i].Result++
			case 5:
				rows[i].Last++
			}
		}
		encoder.Raw = encoder.Raw[:0]
		encoder.Begin(len(rows))
		appendRows(&encoder, fieldsTable, rows)

		plain := newColumnEncoder()
		plain.Begin(len(rows))
		for _, c := range fieldsTable {
			c, v := c.(*integers[fieldsRow]), make([]uint64, len(rows))
			c.load(rows, v)
			if c.key {
				plain.contexts.add(v)
			}
			plain.Section(func() { plain.integers(v, c.predict) })
		}
		if !bytes.Equal(encoder.Raw, plain.Raw) {
			t.Fatalf("%x\ninstead of %x", encoder.Raw, plain.Raw)
		}
	})
}
