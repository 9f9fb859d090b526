package usage

import (
	"path"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// rereads adds up the files that were read over and over, listed or not.
type rereads struct {
	sum profile.Reread
	in  map[string]int64 // bytes by directory
}

// add takes a file that was not written, and how much was read of it.
func (r *rereads) add(f *world.File, bytes int64) {
	if bytes == 0 || f.Kind != trace.FileRegular || f.Other || f.Size <= 0 || bytes < 2*f.Size {
		return
	}
	if r.in == nil {
		r.in = map[string]int64{}
	}
	r.sum.Files++
	r.sum.Bytes += bytes
	r.sum.Size += f.Size
	r.in[path.Dir(f.Path)] += bytes
}

// profile is nil if there are none.
func (r *rereads) profile() *profile.Reread {
	if r.sum.Files == 0 {
		return nil
	}
	r.sum.Under, _ = measure.Deepest(r.in, nearlyAll)
	return &r.sum
}
