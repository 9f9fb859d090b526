package wording

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestEveryReasonHasWords: but for what calls moved, which needs none.
func TestEveryReasonHasWords(t *testing.T) {
	for _, code := range []string{profile.Mapped, profile.Metadata, profile.Partial, profile.ForWriting, profile.Readahead,
		profile.AgainEvicted, profile.AgainDropped, profile.AgainDirect, profile.Again, profile.Zeroes, profile.CopyUp,
		profile.Mirror, profile.Earlier, profile.Zeroed, profile.Above, profile.Swap, profile.ByOther, profile.ByRecorder,
		profile.Untold, profile.Cached, profile.Holes, profile.Inline, profile.Overwritten, profile.Compressed,
		profile.Deleted, profile.InMemory, profile.Elsewhere} {
		if Reason(code, false) == "" || Reason(code, true) == "" {
			t.Errorf("%s has no words", code)
		}
	}
	if got := Reason(profile.Metadata, false); got != "metadata" {
		t.Errorf("what is read of a file system is %q: there is no journal in it", got)
	}
}
