package experiment

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/gap"
)

// cellResult is one run of a cell. Its clock runs until the last call returns; data that is not yet on the device by
// then is forced there afterwards, and that time told separately.
type cellResult struct {
	Bytes      int64 // payload
	ActiveNS   int64
	DeferredNS int64   // until its data was on the device, after ActiveNS
	Depth      float64 // achieved: calls in flight, mean over ActiveNS
	Syncs      int64
}

// space is the space that cells with a payload need at once.
func space(payload int64, cells []gap.Setting) int64 {
	fresh := int64(0)
	for _, c := range cells {
		if c.Write && c.Fresh {
			fresh = payload
		}
	}
	return files(payload, cells) + fresh
}

// files is the size of the files that have to be there before cells with a payload can run.
func files(payload int64, cells []gap.Setting) int64 {
	sets := map[string]bool{}
	for _, c := range cells {
		if c.Read {
			sets[fmt.Sprint("source ", c.FileSize, c.Compressible)] = true
		}
		if c.Write && !c.Fresh {
			sets[fmt.Sprint("target ", c.FileSize)] = true
		}
	}
	return int64(len(sets)) * payload
}
