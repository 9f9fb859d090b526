package tables

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// parquetColumn is a column of a table: what its values are, and where a row has them.
type parquetColumn struct {
	Name     string
	Type     reflect.Type                            // of a value
	Offset   uintptr                                 // in a row
	Value    func(row unsafe.Pointer) unsafe.Pointer // where it is instead; nil for NULL, if it is optional
	Optional bool
	Dict     bool // a text of few values
	Delta    bool // a number that grows
	Key      bool // the first text is in the metadata of the file as well (see the function Key)
}

// At is where a row has its value; nil for NULL.
func (c *parquetColumn) At(row unsafe.Pointer) unsafe.Pointer {
	if c.Value != nil {
		return c.Value(row)
	}
	return unsafe.Add(row, c.Offset)
}

// parquetColumns are those of a type of rows, by the tags of its fields: parquet:"name,option,…". Options are optional
// (a nil pointer, or zero, is NULL), dict and delta; table:"key" makes it the key.
func parquetColumns(row reflect.Type) (all []parquetColumn) {
	for i := range row.NumField() {
		f := row.Field(i)
		tag, ok := f.Tag.Lookup("parquet")
		if !ok {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		has := func(o string) bool { return slices.Contains(strings.Split(options, ","), o) }
		c := parquetColumn{Name: name, Type: f.Type, Offset: f.Offset, Optional: has("optional"), Dict: has("dict"),
			Delta: has("delta"), Key: f.Tag.Get("table") == "key"}
		switch {
		case f.Type.Kind() == reflect.Pointer:
			c.Type = f.Type.Elem()
			c.Value = func(row unsafe.Pointer) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(row, f.Offset)) }
		case c.Optional:
			c.Value = func(row unsafe.Pointer) unsafe.Pointer {
				at := unsafe.Add(row, f.Offset)
				if reflect.NewAt(f.Type, at).Elem().IsZero() {
					return nil
				}
				return at
			}
		}
		all = append(all, c)
	}
	return all
}

// column is a column while its row group is written. What is complete of it is held compressed.
type column struct {
	parquetColumn
	kind

	levels  []uint32 // of the page, of an optional column: whether there is a value
	count   int      // rows of the page
	plain   []byte   // values of the page
	bools   packer
	numbers []int64  // values of a page of differences
	indices []uint32 // values of a page of texts, as their numbers

	numberOf map[string]uint32
	texts    []byte // of the dictionary, as it is stored
	last     string
	lastNo   uint32

	pages  [][]byte // headers and contents
	coded  bool     // some pages have numbers of texts, and
	valued bool     // some have the values themselves
	chunk
	bounds
}

// begin prepares the columns of a table.
func begin(columns []parquetColumn) (all []*column, err error) {
	for _, of := range columns {
		c := &column{parquetColumn: of}
		var ok bool
		if c.kind, ok = kindOf(c.Type); !ok {
			return nil, fmt.Errorf("column %s: %s has no type in a table", c.Name, c.Type)
		}
		if c.Dict && c.physical != byteArray || c.Delta && c.physical != int64Type ||
			c.Key && (c.physical != byteArray || c.Optional) {
			return nil, fmt.Errorf("column %s: its options do not go with %s", c.Name, c.Type)
		}
		all = append(all, c)
	}
	return all, nil
}

// mostPage is about how many bytes a page has, and mostTexts how many a dictionary.
const (
	mostPage  = 1 << 20
	mostRows  = 1 << 16
	mostTexts = 1 << 20
)

// add adds the value of a row at an address.
func (c *column) add(row unsafe.Pointer, z *zstd.Encoder) {
	c.count++
	c.values++
	at := c.At(row)
	if c.Optional {
		if at == nil {
			c.levels = append(c.levels, 0)
			c.nulls++
			return
		}
		c.levels = append(c.levels, 1)
	}
	c.put(at)
	if len(c.plain) >= mostPage || c.count >= mostRows {
		c.endPage(z)
	}
}

func (c *column) put(at unsafe.Pointer) {
	switch {
	case c.physical == boolean:
		c.plain = c.bools.add(c.plain, uint64(*(*uint8)(at)), 1)
	case c.physical == byteArray:
		c.text(*(*string)(at))
	case c.physical == double:
		c.plain = binary.LittleEndian.AppendUint64(c.plain, math.Float64bits(*(*float64)(at)))
	default:
		n := c.integer(at)
		c.bounds.integer(n, c.unsigned)
		switch {
		case c.Delta:
			c.numbers = append(c.numbers, n)
		case c.physical == int32Type:
			c.plain = binary.LittleEndian.AppendUint32(c.plain, uint32(n))
		default:
			c.plain = binary.LittleEndian.AppendUint64(c.plain, uint64(n))
		}
	}
}

// integer is the number at an address, whose type kindOf has seen.
func (c *column) integer(at unsafe.Pointer) int64 {
	switch {
	case c.timestamp:
		return (*time.Time)(at).UnixMicro()
	case c.bits == 64:
		return *(*int64)(at)
	case c.unsigned:
		return int64(*(*uint32)(at))
	}
	return int64(*(*int32)(at))
}

// text adds a text, or its number in the dictionary for as long as that is small.
func (c *column) text(s string) {
	if c.Dict && len(c.texts) < mostTexts || len(c.indices) > 0 {
		if c.last != s || len(c.numberOf) == 0 {
			n, known := c.numberOf[s]
			if !known {
				if c.numberOf == nil {
					c.numberOf = map[string]uint32{}
				}
				n = uint32(len(c.numberOf))
				s = strings.Clone(s)
				c.numberOf[s] = n
				c.texts = append(binary.LittleEndian.AppendUint32(c.texts, uint32(len(s))), s...)
				c.bounds.text(s)
			}
			c.last, c.lastNo = s, n
		}
		c.indices = append(c.indices, c.lastNo)
		return
	}
	c.bounds.text(s)
	c.plain = append(binary.LittleEndian.AppendUint32(c.plain, uint32(len(s))), s...)
}

// endPage compresses what there is.
func (c *column) endPage(z *zstd.Encoder) {
	if c.count == 0 {
		return
	}
	var page []byte
	if c.Optional {
		levels := hybrid(nil, c.levels, 1)
		page = append(binary.LittleEndian.AppendUint32(page, uint32(len(levels))), levels...)
	}
	encoding := int64(encodingPlain)
	switch {
	case len(c.indices) > 0:
		encoding, c.coded = encodingDictionary, true
		width := max(1, bits.Len(uint(len(c.numberOf)-1)))
		page = hybrid(append(page, byte(width)), c.indices, width)
	case c.Delta:
		encoding = encodingDelta
		page = deltas(page, c.numbers)
	default:
		c.valued = true
		page = append(page, c.bools.fill(c.plain, 1, 1)...)
	}
	rows := int64(c.count)
	c.addPage(z, page, false, func(m *message) {
		m.child(5, func(m *message) {
			m.i32(1, rows)
			m.i32(2, encoding)
			m.i32(3, encodingRLE)
			m.i32(4, encodingRLE)
		})
	})
	c.levels, c.count, c.plain, c.numbers, c.indices = c.levels[:0], 0, c.plain[:0], c.numbers[:0], c.indices[:0]
}

// addPage compresses a page and puts its header in front.
func (c *column) addPage(z *zstd.Encoder, page []byte, dictionary bool, rest func(*message)) {
	packed := z.EncodeAll(page, nil)
	of := int64(dataPage)
	if dictionary {
		of = dictionaryPage
	}
	header := appendStruct(nil, func(m *message) {
		m.i32(1, of)
		m.i32(2, int64(len(page)))
		m.i32(3, int64(len(packed)))
		rest(m)
	})
	c.uncompressed += int64(len(header) + len(page))
	c.compressed += int64(len(header) + len(packed))
	if dictionary {
		c.pages = append([][]byte{header, packed}, c.pages...)
	} else {
		c.pages = append(c.pages, header, packed)
	}
}

// end ends the column of a row group, which begins at a place of the file.
func (c *column) end(at int64, z *zstd.Encoder) (ended chunk, pages [][]byte) {
	c.endPage(z)
	c.data = at
	if c.coded {
		c.addPage(z, c.texts, true, func(m *message) {
			m.child(7, func(m *message) {
				m.i32(1, int64(len(c.numberOf)))
				m.i32(2, encodingPlain)
			})
		})
		c.dictionary, c.data = at, at+int64(len(c.pages[0])+len(c.pages[1]))
	}
	c.encodings = []int64{encodingRLE}
	for _, e := range []struct {
		used bool
		code int64
	}{{c.coded || c.valued, encodingPlain}, {c.coded, encodingDictionary}, {c.Delta, encodingDelta}} {
		if e.used {
			c.encodings = append(c.encodings, e.code)
		}
	}
	c.chunk.column, c.least, c.greatest = c.describe(), c.bounds.bytes(c.physical, false), c.bounds.bytes(c.physical, true)
	ended, pages = c.chunk, c.pages
	c.chunk, c.bounds, c.pages, c.coded, c.valued = chunk{}, bounds{}, nil, false, false
	c.numberOf, c.texts, c.last = nil, nil, ""
	return ended, pages
}

func (c *column) describe() described { return described{c.Name, c.kind, c.Optional} }
