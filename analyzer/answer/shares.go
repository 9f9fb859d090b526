package answer

import "github.com/iotrace/iotrace/analyzer/profile"

// The shares and amounts from which on something is worth a sentence.
const (
	nearly         = 0.9     // of all: the rest is the exception
	costly         = 20      // so many times a time are all of it
	amplifiedBy    = 1.5     // more than that, where a device moved more than calls did
	amplifiedBytes = 1 << 20 // so many bytes more
)

// worthTelling reports whether a time is as much as that of the whole.
func worthTelling(p *profile.Profile, ns int64) bool { return ns > 0 && ns*costly >= p.WallNS }

func bytesOf(f *profile.Flow) int64 {
	if f == nil {
		return 0
	}
	return f.Bytes
}
