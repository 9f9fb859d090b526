package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// share is what devices did for a copy in one direction: all that they moved of
// its file, or the part that belongs to the copy.
type share struct {
	transferred
	flow *profile.Flow // as the profile shows it
}

// entire is the share of a copy in what devices moved of a file: all of it; nil if
// there was nothing. The profile has a flow of the files it lists.
func entire(t transferred, listed *profile.Flow, wall int64) *share {
	if t.count == 0 {
		return nil
	}
	s := &share{transferred: t}
	if listed != nil {
		f := *listed
		f.Depth.MeanWall = 0
		if wall > 0 {
			f.Depth.MeanWall = float64(f.Latency.Sum) / float64(wall)
		}
		s.flow = &f
	}
	return s
}

// partial is the share of a copy of a part of a file.
func partial(f *measure.Flow, wall int64) *share {
	return &share{transferred{f.Count, f.Bytes, f.Last}, f.Profile(wall)}
}
