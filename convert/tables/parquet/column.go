package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// column is a column while its row group is written. What is complete of it is held compressed.
type column struct {
	name    string
	offset  uintptr // in a row
	pointer bool
	kind
	optional, dict, delta, key bool

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

// columnsOf are those of a type of rows.
func columnsOf(row reflect.Type) (all []*column, err error) {
	for i := range row.NumField() {
		tag, ok := row.Field(i).Tag.Lookup("parquet")
		if !ok {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		c := &column{name: name, offset: row.Field(i).Offset}
		for _, o := range strings.Split(options, ",") {
			c.optional = c.optional || o == "optional"
			c.dict = c.dict || o == "dict"
			c.delta = c.delta || o == "delta"
		}
		c.key = row.Field(i).Tag.Get("table") == "key"
		of := row.Field(i).Type
		if c.pointer = of.Kind() == reflect.Pointer; c.pointer {
			of = of.Elem()
		}
		if c.kind, ok = kindOf(of); !ok {
			return nil, fmt.Errorf("column %s: %s has no type in a table", name, of)
		}
		if !c.consistent() {
			return nil, fmt.Errorf("column %s: %s does not go with %s", name, of, options)
		}
		all = append(all, c)
	}
	return all, nil
}

// consistent reports whether the options of a column go with its type.
func (c *column) consistent() bool {
	switch {
	case c.pointer && !c.optional, c.optional && !c.pointer && c.bits == 0:
		return false
	case c.dict && c.physical != byteArray, c.key && (c.physical != byteArray || c.pointer):
		return false
	}
	return !c.delta || c.physical == int64Type
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
	at := unsafe.Add(row, c.offset)
	if c.pointer {
		at = *(*unsafe.Pointer)(at)
	}
	if c.optional {
		if at == nil || !c.pointer && c.integer(at) == 0 {
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
		case c.delta:
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
	if c.dict && len(c.texts) < mostTexts || len(c.indices) > 0 {
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
	if c.optional {
		levels := hybrid(nil, c.levels, 1)
		page = append(binary.LittleEndian.AppendUint32(page, uint32(len(levels))), levels...)
	}
	encoding := int64(encodingPlain)
	switch {
	case len(c.indices) > 0:
		encoding, c.coded = encodingDictionary, true
		width := max(1, bits.Len(uint(len(c.numberOf)-1)))
		page = hybrid(append(page, byte(width)), c.indices, width)
	case c.delta:
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
	}{{c.coded || c.valued, encodingPlain}, {c.coded, encodingDictionary}, {c.delta, encodingDelta}} {
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

func (c *column) describe() described { return described{c.name, c.kind, c.optional} }
