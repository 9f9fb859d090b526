package usage

import (
	"path"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// reread adds up the files that were read over and over, listed or not; nil if there are none.
func (c *Files) reread() *profile.Reread {
	r := &profile.Reread{}
	in := map[string]int64{}
	for _, f := range c.files.All {
		s := c.used.Known(f.Number)
		if s == nil || s.read == nil || s.write != nil || f.Kind != trace.FileRegular || f.Other || f.Size <= 0 ||
			s.read.Bytes < 2*f.Size {
			continue
		}
		r.Files++
		r.Bytes += s.read.Bytes
		r.Size += f.Size
		in[path.Dir(f.Path)] += s.read.Bytes
	}
	if r.Files == 0 {
		return nil
	}
	r.Under, _ = measure.Deepest(in, nearlyAll)
	return r
}
