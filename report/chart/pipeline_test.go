package chart

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Requests are shown at once where the program waited for drives most of the time. What drives do after it has returned
// is no wait.
func TestPictured(t *testing.T) {
	type slices = []profile.StackSlice
	for _, c := range []struct {
		slices slices
		want   bool
	}{
		{slices{{Label: "cpu", Group: "outside", NS: 60}, {Label: "device_read", Group: "device", NS: 40}}, true},
		{slices{{Label: "cpu", Group: "outside", NS: 40}, {Label: "queued", Group: "device", NS: 60}}, false},
		{slices{{Label: "sync", Group: "call", NS: 60}, {Label: "cpu", Group: "outside", NS: 40}}, false},
		{slices{{Label: "cpu", Group: "outside", NS: 100}, {Label: "draining", Group: "after", NS: 900}}, true},
	} {
		p := &profile.Profile{Charts: &profile.Charts{}, TimeStack: profile.TimeStack{WallNS: 100, Slices: c.slices}}
		if Pictured(p) != c.want {
			t.Errorf("%+v: %t", c.slices, !c.want)
		}
	}
}
