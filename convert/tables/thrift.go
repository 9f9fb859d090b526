package tables

import "encoding/binary"

// The types of Thrift's compact protocol that Parquet's metadata uses.
const (
	typeTrue   = 1
	typeFalse  = 2
	typeI16    = 4
	typeI32    = 5
	typeI64    = 6
	typeBinary = 8
	typeList   = 9
	typeStruct = 12
)

// message is a struct in that protocol while it is written. Its fields are added in the order of their numbers.
type message struct {
	b    []byte
	last int
}

func (m *message) field(id, of int) {
	m.b = append(m.b, byte(id-m.last)<<4|byte(of)) // ids are never more than 15 apart
	m.last = id
}

func (m *message) i16(id int, v int64) { m.field(id, typeI16); m.b = binary.AppendVarint(m.b, v) }
func (m *message) i32(id int, v int64) { m.field(id, typeI32); m.b = binary.AppendVarint(m.b, v) }
func (m *message) i64(id int, v int64) { m.field(id, typeI64); m.b = binary.AppendVarint(m.b, v) }

func (m *message) bool(id int, v bool) {
	if v {
		m.field(id, typeTrue)
	} else {
		m.field(id, typeFalse)
	}
}

func (m *message) text(id int, s string) {
	m.field(id, typeBinary)
	m.b = appendBinary(m.b, s)
}

func appendBinary(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// child adds a struct.
func (m *message) child(id int, fill func(*message)) {
	m.field(id, typeStruct)
	m.b = appendStruct(m.b, fill)
}

func appendStruct(b []byte, fill func(*message)) []byte {
	inner := message{b: b}
	fill(&inner)
	return append(inner.b, 0)
}

// list begins a list, whose elements the caller appends.
func (m *message) list(id, of, n int) {
	m.field(id, typeList)
	if n < 15 {
		m.b = append(m.b, byte(n)<<4|byte(of))
		return
	}
	m.b = binary.AppendUvarint(append(m.b, 0xf0|byte(of)), uint64(n))
}

// structs adds a list of structs.
func (m *message) structs(id, n int, fill func(i int, e *message)) {
	m.list(id, typeStruct, n)
	for i := range n {
		m.b = appendStruct(m.b, func(e *message) { fill(i, e) })
	}
}
