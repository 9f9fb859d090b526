package content

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestAmountLines: each reason is told with its sign; a factor of one is not, nor a file that only came from memory.
func TestAmountLines(t *testing.T) {
	p := &profile.Profile{Amounts: profile.Amounts{
		Devices: []profile.Amount{{Name: "vda", Read: profile.Moved{Factor: -1}, Write: profile.Moved{
			Asked: 4e6, Moved: 4e6, Device: 30e6, Factor: 7.5, Reasons: []profile.Part{
				{Code: profile.Metadata, Bytes: 26e6}, {Code: profile.Data, Bytes: 3.9e6}, {Code: profile.ByRecorder, Bytes: 1e5}},
			Spared: []profile.Part{{Code: profile.Overwritten, Bytes: 1e5}},
		}}},
		Filesystems: []profile.Amount{{Name: "/mnt\x1b", Read: profile.Moved{Moved: 1e6, Device: 1e6, Factor: 1,
			Reasons: []profile.Part{{Code: profile.Data, Bytes: 1e6}}}}},
		Files: []profile.Amount{{Name: "/lib/small", Read: profile.Moved{Moved: 800, Factor: 0}}},
	}}
	got, want := AmountLines(p), []string{
		"vda write: 30.0 MB for 4.00 MB, 7.50 for each byte: metadata and journal +26.0 MB",
		`/mnt\x1b read: 1.00 MB for 1.00 MB`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	w := &p.Amounts.Devices[0].Write
	w.Reasons[1].Code, w.Shared = profile.ByOther, 29e6 // commits with changes of others, too
	want[0] = "vda write: 30.0 MB for 4.00 MB, 7.50 for each byte: metadata and journal ≈26.0 MB, others ≈3.90 MB"
	if got := AmountLines(p); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := Amounts(p).Rows(); n != 2 {
		t.Errorf("%d rows", n)
	}
}
