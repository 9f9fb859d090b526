package answer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// started has a command run many times on a file, one run after the other, or all side by side.
func started(command string, count int, sideBySide bool) *profile.Profile {
	const each = int64(100e6)
	p := &profile.Profile{WallNS: each * int64(count)}
	f := profile.File{Path: "/srv/catalog.db", Type: trace.FileRegular, Size: 8 << 20,
		Read: &profile.Flow{Bytes: 8 << 20 * int64(count)}, Write: &profile.Flow{Bytes: 8 << 20}}
	p.Processes = []profile.Process{{PID: 1, Command: "sh", EndNS: p.WallNS}}
	for i := range count {
		x := profile.Process{PID: uint32(i + 10), Command: command, StartNS: each * int64(i), EndNS: each * int64(i+1)}
		if sideBySide {
			x.StartNS, x.EndNS = 0, p.WallNS
		}
		p.Processes = append(p.Processes, x)
		if len(f.Processes) < profile.MaxUsers {
			f.Processes = append(f.Processes, x.PID)
		}
	}
	p.Files = []profile.File{f}
	p.Layers = []profile.Layer{{Name: "calls", Read: f.Read, Write: f.Write}}
	return p
}

// TestRunsOfOneCommand: a command that is started for each piece, and each time goes through one file, is to be started
// once; a pool of workers reads it likewise, and is started once.
func TestRunsOfOneCommand(t *testing.T) {
	o := &observer{p: started("exiftool", 40, false)}
	rewound(o)
	const begins = "catalog.db was read over and over by 40 runs of exiftool: "
	if len(o.list) != 1 || !strings.HasPrefix(o.list[0].Text, begins) ||
		o.list[0].Instead != "run exiftool once for all files" {
		t.Errorf("%+v", o.list)
	}
	for name, p := range map[string]*profile.Profile{
		"a pool": started("php-fpm", 40, true), "few": started("exiftool", 8, false),
	} {
		o := &observer{p: p}
		rewound(o)
		if len(o.list) != 1 || o.list[0].Instead != readOnce {
			t.Errorf("%s: %+v", name, o.list)
		}
	}
	unseen := started("exiftool", 40, false)
	unseen.Processes[7].EndNS = -1 // the end of one
	if r := runsOn(unseen, unseen.Files[0].Processes); r.count != 40 {
		t.Errorf("%+v", r)
	}
}

// TestSavedByRuns: each run replaced the file by one of the same name.
func TestSavedByRuns(t *testing.T) {
	p := started("jq", 40, false)
	whole := p.Files[0]
	p.Files = nil
	for i := range 40 {
		f := whole
		f.Processes = []uint32{uint32(i + 10)}
		p.Files = append(p.Files, f)
	}
	p.Saves = []profile.Save{{Path: whole.Path, Count: 40, Bytes: 320 << 20, Last: 8 << 20}}
	o := &observer{p: p}
	saved(o)
	if len(o.list) != 1 || o.list[0].Instead != "run jq once for all files" ||
		!strings.HasPrefix(o.list[0].Text, "catalog.db was saved as a whole 40 times by 40 runs of jq, ") {
		t.Errorf("%+v", o.list)
	}
	p.Processes = p.Processes[:3] // one process saved it each time
	o = &observer{p: p}
	if saved(o); len(o.list) != 1 || o.list[0].Instead != saveLess {
		t.Errorf("%+v", o.list)
	}
}
