package answer

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// The line of a drive says how many times as much it moved as calls did, and why, where that is not about as much.
func TestAmplification(t *testing.T) {
	parts := func(codes ...string) (list []profile.Part) {
		for i, code := range codes {
			list = append(list, profile.Part{Code: code, Bytes: int64(1000 + i)})
		}
		return list
	}
	for _, test := range []struct {
		name    string
		factor  float64
		write   bool
		reasons []profile.Part
		want    string
	}{
		{"as much", 1.09, true, parts(profile.Data, profile.Metadata), ""},
		{"more", 1.1, true, parts(profile.Data, profile.Metadata), " (×1.1, metadata and journal)"},
		{"more for two reasons", 5.04, true, parts(profile.Metadata, profile.Partial, profile.Data),
			" (×5.0, rest of blocks)"},
		{"others wrote too", 3, true, parts(profile.Data, profile.ByOther), " (×3.0)"},
		{"calls moved next to nothing", 144156, true, parts(profile.Data, profile.Metadata), " (metadata and journal)"},
		{"less written", 0.5, true, parts(profile.Data), " (×0.50)"},
		{"less read, as it was in memory", 0.5, false, parts(profile.Data), ""},
		{"read again", 4, false, parts(profile.Data, profile.AgainEvicted), " (×4.0, read again, memory was short)"},
		{"no calls", -1, true, parts(profile.Metadata), ""},
		{"through a mapping", 175, false, []profile.Part{{Code: profile.Mapped, Bytes: 34 << 20},
			{Code: profile.Metadata, Bytes: 1 << 20}, {Code: profile.Data, Bytes: 6532}}, ""},
		{"a program's own code beside a few calls", 48, false, []profile.Part{{Code: profile.Mapped, Bytes: 1187840},
			{Code: profile.Metadata, Bytes: 442368}, {Code: profile.Data, Bytes: 4160}}, ""},
		{"code of which no reason is known beside it", 2.1, false, []profile.Part{{Code: profile.Mapped, Bytes: 261 << 20},
			{Code: profile.Data, Bytes: 2 << 20}}, ""},
		{"a mapping beside much more of a journal", 9, true, []profile.Part{{Code: profile.Metadata, Bytes: 80 << 20},
			{Code: profile.Mapped, Bytes: 30 << 20}, {Code: profile.Data, Bytes: 10 << 20}}, " (metadata and journal)"},
		{"a small mapping", 4, false, []profile.Part{{Code: profile.AgainEvicted, Bytes: 30 << 20},
			{Code: profile.Data, Bytes: 10 << 20}, {Code: profile.Mapped, Bytes: 1 << 20}},
			" (×4.0, read again, memory was short)"},
		{"others on the drive are no mapping of its own", 4, false, []profile.Part{{Code: profile.ByOther, Bytes: 900 << 20},
			{Code: profile.Mapped, Bytes: 30 << 20}, {Code: profile.Metadata, Bytes: 9 << 20}}, ""},
	} {
		p := &profile.Profile{}
		m := profile.Moved{Factor: test.factor, Reasons: test.reasons}
		d := profile.Amount{Name: "sda", Read: m}
		if test.write {
			d.Read, d.Write = profile.Moved{}, m
		}
		p.Amounts.Devices = []profile.Amount{{Name: "sdb", Write: profile.Moved{Factor: 9}}, d}
		if got := amplified(p, "sda", test.write); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Who reads one drive and writes another has a line for each, and none for a third that did little.
func TestTwoDrives(t *testing.T) {
	moved := func(bytes int64) *profile.Flow {
		return &profile.Flow{Count: 10, Bytes: bytes, Depth: profile.Depth{BusyNS: bytes}}
	}
	p := &profile.Profile{Devices: []profile.Device{
		{Name: "sda", Layer: "disk", Level: 1, Read: moved(64 << 20), Write: moved(100 << 10)},
		{Name: "sdb", Layer: "disk", Level: 1, Read: moved(50 << 10), Write: moved(64 << 20)},
		{Name: "sdc", Layer: "disk", Level: 1, Read: moved(2 << 20)},
	}}
	var labels []string
	for _, l := range drives(p) {
		labels = append(labels, l.Label)
	}
	if !slices.Equal(labels, []string{"sda read", "sdb write"}) {
		t.Errorf("lines of %q", labels)
	}
}

// A device that hardly worked comes after the one that did: an answer may have no room for both.
func TestBusierDriveFirst(t *testing.T) {
	drive := func(name string, bytes, busy int64) profile.Device {
		f := &profile.Flow{Count: 9, Bytes: bytes, Depth: profile.Depth{BusyNS: busy}}
		return profile.Device{Name: name, Level: 1, Read: f}
	}
	for busy, first := range map[int64]string{1e9: "vda read", 5e7: "sdb write"} {
		write := drive("sdb", 6<<20, 1e9)
		write.Read, write.Write = nil, write.Read
		p := &profile.Profile{Devices: []profile.Device{drive("vda", 60<<20, busy), write}}
		if list := drives(p); len(list) != 2 || list[0].Label != first {
			t.Errorf("read for %d ns: %+v, want %s first", busy, list, first)
		}
	}
}
