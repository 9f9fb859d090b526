//go:build linux

package ebpf

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

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

// nameAsync sets the files that a finished operation names.
func (d *decoder) nameAsync(a *trace.AsyncOp, r *iotraceAsync) (err error) {
	key := asyncKey{r.Tid, r.Submit}
	n, ok := d.names[key]
	if !ok {
		return nil
	}
	delete(d.names, key)
	if len(n.first) > 0 {
		if a.File, err = d.named(n.dir, n.first, a.Complete); err != nil {
			return err
		}
	}
	if len(n.second) > 0 {
		if a.File2, err = d.named(n.dir2, n.second, a.Complete); err != nil {
			return err
		}
	}
	if a.Op == trace.OpRename && n.flags&unix.RENAME_EXCHANGE != 0 {
		a.Flags |= trace.FlagExchange
	}
	if a.Result < 0 {
		return nil
	}
	d.files.alters(a.File)
	d.files.alters(a.File2)
	if a.Op == trace.OpRename {
		d.renamed(a.Flags, a.File, a.File2)
	}
	return nil
}
