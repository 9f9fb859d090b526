package tables

// described is what a column of a table is.
type described struct {
	name string
	kind
	optional bool
}

// chunk is what the footer says of a column of a row group.
type chunk struct {
	column                   described
	encodings                []int64
	values, nulls            int64
	uncompressed, compressed int64
	data, dictionary         int64 // where they begin; no dictionary begins at 0
	least, greatest          []byte
}

// keyMark is in front of the name of a key in the metadata.
const keyMark = "iotrace."

// footer describes the file.
func (t *parquetWriter) footer() []byte {
	return appendStruct(nil, func(m *message) {
		m.i32(1, 1)
		m.structs(2, 1+len(t.columns), func(i int, e *message) {
			if i == 0 {
				e.text(4, "table")
				e.i32(5, int64(len(t.columns)))
				return
			}
			t.columns[i-1].describe().element(e)
		})
		m.i64(3, t.total)
		m.structs(4, len(t.groups), func(i int, e *message) { t.groups[i].describe(e, i) })
		if t.key[0] != "" {
			m.structs(5, 1, func(_ int, e *message) {
				e.text(1, keyMark+t.key[0])
				e.text(2, t.key[1])
			})
		}
		m.text(6, "iotrace")
		// Bounds are in the order of their types.
		m.structs(7, len(t.columns), func(_ int, e *message) { e.child(1, func(*message) {}) })
	})
}

// element is the column in the schema.
func (d described) element(m *message) {
	m.i32(1, d.physical)
	optional := int64(0)
	if d.optional {
		optional = 1
	}
	m.i32(3, optional)
	m.text(4, d.name)
	if d.converted >= 0 {
		m.i32(6, d.converted)
	}
	switch {
	case d.physical == byteArray:
		m.child(10, func(m *message) { m.child(1, func(*message) {}) })
	case d.timestamp:
		m.child(10, func(m *message) {
			m.child(8, func(m *message) {
				m.bool(1, true) // UTC
				m.child(2, func(m *message) { m.child(2, func(*message) {}) })
			})
		})
	case d.bits > 0:
		m.child(10, func(m *message) {
			m.child(10, func(m *message) {
				m.field(1, 3) // one byte
				m.b = append(m.b, byte(d.bits))
				m.bool(2, !d.unsigned)
			})
		})
	}
}

func (g *parquetGroup) describe(m *message, number int) {
	var uncompressed, compressed int64
	m.structs(1, len(g.chunks), func(i int, e *message) {
		c := &g.chunks[i]
		uncompressed += c.uncompressed
		compressed += c.compressed
		e.i64(2, 0)
		e.child(3, c.describe)
	})
	m.i64(2, uncompressed)
	m.i64(3, g.rows)
	m.i64(5, g.start)
	m.i64(6, compressed)
	m.i16(7, int64(number&0x7fff))
}

func (c *chunk) describe(m *message) {
	m.i32(1, c.column.physical)
	m.list(2, typeI32, len(c.encodings))
	for _, e := range c.encodings {
		m.b = append(m.b, byte(e<<1)) // as a varint
	}
	m.list(3, typeBinary, 1)
	m.b = appendBinary(m.b, c.column.name)
	m.i32(4, codecZstd)
	m.i64(5, c.values)
	m.i64(6, c.uncompressed)
	m.i64(7, c.compressed)
	m.i64(9, c.data)
	if c.dictionary > 0 {
		m.i64(11, c.dictionary)
	}
	m.child(12, func(m *message) {
		m.i64(3, c.nulls)
		if c.least != nil {
			m.text(5, string(c.greatest))
			m.text(6, string(c.least))
		}
	})
}
