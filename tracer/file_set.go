package tracer

import "github.com/iotrace/iotrace/trace"

// fileSet is a set of files, 64 in a word: sources number them one after the other.
type fileSet map[trace.FileID]uint64

func (s fileSet) add(id trace.FileID)      { s[id/64] |= 1 << (id % 64) }
func (s fileSet) has(id trace.FileID) bool { return s[id/64]>>(id%64)&1 != 0 }

func (s fileSet) remove(id trace.FileID) {
	if word := s[id/64] &^ (1 << (id % 64)); word != 0 {
		s[id/64] = word
	} else {
		delete(s, id/64)
	}
}
