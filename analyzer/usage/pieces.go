package usage

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
)

// pieces says for each way in which data of files was moved in how many pieces that was, of all files, listed or not.
func (c *Files) pieces(w *profile.WholePattern) {
	for _, f := range c.files.All {
		s := c.used.Known(f.Number)
		if s == nil || !f.Data() {
			continue
		}
		inPieces(&w.ReadCalls, s.read, f.Size)
		inPieces(&w.WriteCalls, s.write, f.Size)
		inPieces(&w.ReadRequests, s.devRead, f.Size)
		inPieces(&w.WriteRequests, s.devWrite, f.Size)
	}
}

// inPieces adds what was moved of a file of a size; 0 is one that is not known.
func inPieces(p *profile.Pieces, moved *measure.Flow, size int64) {
	if moved == nil || moved.Bytes == 0 {
		return
	}
	most := int64(wording.SmallRequest)
	if size > 0 {
		most = min(most, roundUp(size, pageBytes))
	}
	p.Files++
	p.Count += moved.Moved()
	p.Least += min(moved.Moved(), roundUp(moved.Bytes, most)/most)
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }
