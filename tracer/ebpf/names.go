//go:build linux

package ebpf

import "slices"

// asyncNames are what operations of io_uring were given as names, from when they begin until they are done: by then the
// kernel has let go of the names.
type asyncNames map[asyncKey]asyncName

// A thread submits one operation at a time.
type asyncKey struct {
	tid    uint32
	submit uint64
}

type asyncName struct {
	dir, dir2     uint32
	flags         uint32 // of a rename
	first, second []byte // nil: none
}

// maxAsyncNames bounds the operations that are remembered; the ends of some may be lost.
const maxAsyncNames = 16384

func (n *asyncNames) begun(r *iotraceCall, text []byte) {
	if *n == nil || len(*n) >= maxAsyncNames {
		*n = asyncNames{}
	}
	(*n)[asyncKey{r.Tid, r.Start}] = asyncName{r.Dir, r.Dir2, r.Aux, slices.Clone(text[:r.Len1]),
		slices.Clone(text[r.Len1:][:r.Len2])}
}

// taken returns what a finished operation was given, once.
func (n asyncNames) taken(r *iotraceAsync) (name asyncName, ok bool) {
	key := asyncKey{r.Tid, r.Submit}
	name, ok = n[key]
	delete(n, key)
	return name, ok
}
