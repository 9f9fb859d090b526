package experiment

import (
	"compress/flate"
	"io"
	"os"

	"github.com/iotrace/iotrace/analyzer/gap"
)

// What is looked at of the data of a workload.
const (
	sampleBlock  = 64 << 10
	sampleBlocks = 32
	leastSaved   = 0.05 // less is what framing and chance make
)

// SampleData finds how far the data of a workload compresses, from what its
// files hold now: a trace holds none. Files that are gone, or cannot be read,
// leave what the recording itself tells.
func SampleData(w *gap.Workload) {
	var raw, packed int64
	each := max(sampleBlocks/max(len(w.Paths), 1), 1)
	for _, path := range w.Paths {
		a, b := samplePath(path, each)
		raw, packed = raw+a, packed+b
	}
	if raw == 0 {
		return
	}
	w.Compressible = max(1-float64(packed)/float64(raw), 0)
	if w.Compressible < leastSaved {
		w.Compressible = 0
	}
}

// samplePath compresses blocks from all over a file.
func samplePath(path string, blocks int) (raw, packed int64) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return 0, 0
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	buf := make([]byte, sampleBlock)
	for i := range int64(blocks) {
		at := (info.Size() - sampleBlock) / int64(blocks) * i
		if at <= 0 && i > 0 {
			break // the first block was all of it
		}
		n, _ := f.ReadAt(buf, at)
		raw += int64(n)
		packed += compressed(buf[:n])
	}
	return raw, packed
}

func compressed(p []byte) int64 {
	var n countingWriter
	w, err := flate.NewWriter(&n, flate.BestSpeed)
	if err != nil {
		return int64(len(p))
	}
	if _, err := w.Write(p); err != nil || w.Close() != nil {
		return int64(len(p))
	}
	return min(int64(n), int64(len(p)))
}

type countingWriter int64

var _ io.Writer = (*countingWriter)(nil)

func (c *countingWriter) Write(p []byte) (int, error) {
	*c += countingWriter(len(p))
	return len(p), nil
}
