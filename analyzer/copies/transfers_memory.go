package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// buffers say which bytes of which files lie at which addresses of a process:
// what was read or mapped there last.
type buffers struct {
	list   []loaded // separate, in the order of addresses
	recent int      // where the last one was put
	pieces []portion
}

// loaded is a stretch of a file in memory.
type loaded struct {
	from, to uint64
	source   *source
	session  int   // of the source
	at       int64 // place of the first byte in the file
	end      int64 // when it was there
}

// portion is a stretch of a file that a write took from memory.
type portion struct {
	source *source
	at, n  int64
}

func (p portion) extent() measure.Extent { return measure.Extent{From: p.at, To: p.at + p.n} }

// maxHeld bounds the stretches kept per process.
const maxHeld = 4096

// put enters a stretch; what was there before is no longer.
func (m *buffers) put(h loaded) {
	if h.from == 0 || h.to <= h.from {
		return
	}
	if i := m.recent; i < len(m.list) && m.list[i].from == h.from && m.list[i].to == h.to { // the same buffer once more
		m.list[i] = h
		return
	}
	i, same := slices.BinarySearchFunc(m.list, h.from, func(x loaded, at uint64) int { return cmp.Compare(x.from, at) })
	m.recent = i
	if same && m.list[i].to == h.to { // a buffer of several that take turns
		m.list[i] = h
		return
	}
	if i > 0 && m.list[i-1].to > h.from {
		i--
	}
	j := i
	keep := [3]loaded{}
	kept := keep[:0]
	for ; j < len(m.list) && m.list[j].from < h.to; j++ {
		if o := m.list[j]; o.from < h.from {
			o.to = h.from
			kept = append(kept, o)
		}
	}
	kept = append(kept, h)
	if j > i {
		if o := m.list[j-1]; o.to > h.to {
			o.at += int64(h.to - o.from)
			o.from = h.to
			kept = append(kept, o)
		}
	}
	m.list = slices.Replace(m.list, i, j, kept...)
	if len(m.list) > maxHeld {
		m.thin()
	}
}

// thin forgets the older half.
func (m *buffers) thin() {
	ends := make([]int64, 0, len(m.list))
	for i := range m.list {
		ends = append(ends, m.list[i].end)
	}
	slices.Sort(ends)
	middle := ends[len(ends)/2]
	m.list = slices.DeleteFunc(m.list, func(h loaded) bool { return h.end < middle })
}

// origin lists where the n bytes at an address came from, if it is known of all
// of them, for a call that was over at a time. The list is valid until the next
// call.
func (m *buffers) origin(from uint64, n, until int64) []portion {
	m.pieces = m.pieces[:0]
	if from == 0 {
		return nil
	}
	i, _ := slices.BinarySearchFunc(m.list, from, func(x loaded, at uint64) int { return cmp.Compare(x.to, at+1) })
	for ; n > 0; i++ {
		if i == len(m.list) || m.list[i].from > from || m.list[i].end > until {
			return nil
		}
		h := &m.list[i]
		if h.session != h.source.session {
			return nil
		}
		p := portion{h.source, h.at + int64(from-h.from), min(n, int64(h.to-from))}
		if k := len(m.pieces) - 1; k >= 0 && m.pieces[k].source == p.source && m.pieces[k].at+m.pieces[k].n == p.at {
			m.pieces[k].n += p.n
		} else {
			m.pieces = append(m.pieces, p)
		}
		from += uint64(p.n)
		n -= p.n
	}
	return m.pieces
}
