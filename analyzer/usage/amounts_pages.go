package usage

import "math/bits"

const (
	pageBytes  = 4096
	chunkPages = 64
	chunkBytes = chunkPages * pageBytes

	// maxChunks bounds the memory: 128 GiB of files that lie together, or half a million small ones.
	maxChunks = 512 << 10
	// maxSteps bounds the time: 16 TiB that are moved in calls and requests of any length.
	maxSteps = 64 << 20
)

// chunk is what happened to 64 pages of a file, a bit for each.
type chunk struct {
	asked, wrote     uint64 // by calls
	fetched, flushed uint64 // by requests
}

type chunkKey struct {
	file  int
	index int64
}

// pages knows what happened to each page of each file, within bounds.
type pages struct {
	at    map[chunkKey]uint32
	list  []chunk
	last  chunkKey
	where uint32
	steps int
}

func newPages() *pages { return &pages{at: map[chunkKey]uint32{}, last: chunkKey{-1, -1}} }

// get is a chunk; nil if there is no room for it.
func (p *pages) get(k chunkKey) *chunk {
	if p.steps++; p.steps > maxSteps {
		return nil
	}
	if k == p.last {
		return &p.list[p.where]
	}
	i, ok := p.at[k]
	if !ok {
		if len(p.list) == maxChunks {
			return nil
		}
		i = uint32(len(p.list))
		p.list = append(p.list, chunk{})
		p.at[k] = i
	}
	p.last, p.where = k, i
	return &p.list[i]
}

// span is the pages of a chunk from one place of a file to another: touched by them, or wholly between them.
func span(index, from, to int64, whole bool) uint64 {
	start := index * chunkBytes
	first, last := max(from-start, 0), min(to-start, chunkBytes)
	if whole {
		first, last = (first+pageBytes-1)/pageBytes, last/pageBytes
	} else {
		first, last = first/pageBytes, (last+pageBytes-1)/pageBytes
	}
	if first >= last {
		return 0
	}
	return ^uint64(0) >> (chunkPages - (last - first)) << first
}

// each calls f for each chunk that an extent touches, until there is no room for one; it reports whether there was.
func (p *pages) each(file int, from, to int64, f func(c *chunk, index int64)) bool {
	if from < 0 || to <= from {
		return true
	}
	for i := from / chunkBytes; i <= (to-1)/chunkBytes; i++ {
		c := p.get(chunkKey{file, i})
		if c == nil {
			return false
		}
		f(c, i)
	}
	return true
}

// totals are the bytes of a file's pages by what happened to them.
type totals struct {
	used       int64 // fetched, and asked for by calls
	forWriting int64 // fetched for calls that wrote
	written    int64 // flushed, and written by calls
	unflushed  int64 // written by calls alone
}

// sums adds up the pages of each file.
func (p *pages) sums() map[int]totals {
	all := map[int]totals{}
	count := func(mask uint64) int64 { return int64(bits.OnesCount64(mask)) * pageBytes }
	for k, i := range p.at {
		c, t := &p.list[i], all[k.file]
		t.used += count(c.fetched & c.asked)
		t.forWriting += count(c.fetched &^ c.asked & c.wrote)
		t.written += count(c.flushed & c.wrote)
		t.unflushed += count(c.wrote &^ c.flushed)
		all[k.file] = t
	}
	return all
}
