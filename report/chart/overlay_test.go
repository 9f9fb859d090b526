package chart

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// load reads a profile of the report tests.
func load(t *testing.T, name string) *profile.Profile {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	p := new(profile.Profile)
	if err := json.Unmarshal(b, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// The curves on the common time axis hold as many bytes as those of the
// recording, at every level.
func TestTimelinesKeepTheBytes(t *testing.T) {
	runs := []Run{{Name: "copy", Profile: load(t, "copy")}, {Name: "lossy", Profile: load(t, "lossy")}}
	o := Overlaid(runs)
	if len(o.Places) == 0 || len(o.Data.Charts) < 4 {
		t.Fatalf("the overlay has %d places and %d charts", len(o.Places), len(o.Data.Charts))
	}
	for i := range runs {
		s := &runs[i]
		s.prepare(i)
		for _, layer := range []string{"calls", "requests"} {
			for _, way := range []string{"read", "write"} {
				want := int64(0)
				for _, x := range s.Profile.Charts.Series {
					if x.Layer == layer && x.Direction == way && x.Level <= 1 {
						for _, b := range x.Bytes {
							want += b
						}
					}
				}
				for _, bin := range []int64{o.Data.BinNS, o.Data.BinNS / 5, 3 * o.Data.BinNS} {
					got := 0.0
					for _, v := range s.curve(layer, way, "rate", bin, o.Data.EndNS) {
						got += v * float64(bin) / 1e9
					}
					// The last bin of a recording may reach past its end, where nothing is drawn.
					if got < 0.99*float64(want) || got > float64(want)*(1+1e-9) {
						t.Errorf("%s: %ss of %s over bins of %d ns hold %.0f bytes, the recording %d", s.Name, way, layer, bin, got, want)
					}
				}
			}
		}
	}
}
