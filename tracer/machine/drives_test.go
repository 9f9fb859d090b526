package machine

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

func TestParse(t *testing.T) {
	const line = " 254       0 vda 7230 3417 512394 4820 91817 40213 5338066 80120 2 31276 84941 0 0 0 0 4210 1001\n"
	d, ok := parse(line)
	want := reading{trace.Drive{Name: "vda", Reads: 7230, ReadBytes: 512394 * 512, Writes: 91817,
		WrittenBytes: 5338066 * 512, Busy: 31276e6}, 2}
	if !ok || d != want {
		t.Errorf("%+v, want %+v", d, want)
	}
	for _, bad := range []string{"", "254 0 vda", " 254 0 vda a b c d e f g h i j k",
		" 254 0 vda -1 0 0 0 0 0 0 0 0 0 0"} {
		if d, ok := parse(bad); ok {
			t.Errorf("%q: %+v", bad, d)
		}
	}
}

// Drives go up, and begin anew with a drive that is plugged in again.
func TestClose(t *testing.T) {
	clock := func() int64 { return 0 }
	c := OpenDrives(clock)
	if c.before == nil {
		t.Skip("this system has no counters of its drives")
	}
	for name, d := range c.before {
		d.Reads, d.ReadBytes = d.Reads+1, d.ReadBytes+1 // as if it had counted further than it does now
		c.before[name] = d
	}
	list, _ := c.Close(clock)
	for _, d := range list {
		if d.Reads < 0 || d.ReadBytes < 0 || d.Writes < 0 || d.WrittenBytes < 0 || d.Busy < 0 {
			t.Errorf("%+v", d)
		}
	}
}

// The counters are taken when nothing has changed for a while and nothing is underway, at the moment of the reading
// before; of drives that never rest, as they are in the end.
func TestStill(t *testing.T) {
	reads := func(list ...reading) func() map[string]reading {
		i := 0
		return func() map[string]reading {
			r := list[min(i, len(list)-1)]
			i++
			return map[string]reading{"a": r}
		}
	}
	of := func(writes, underway int64) reading { return reading{trace.Drive{Writes: writes}, underway} }
	busy := make([]reading, 2*tries)
	for i := range busy {
		busy[i] = of(int64(i), 0)
	}
	for _, c := range []struct {
		name   string
		list   []reading
		writes int64
		at     int64
	}{
		{"idle", []reading{of(3, 0)}, 3, 1},
		{"one ends between the readings", []reading{of(3, 1), of(4, 0)}, 4, 2},
		{"one is underway for longer", []reading{of(3, 1), of(3, 1), of(3, 1), of(4, 0)}, 4, 4},
		{"time of a drive goes on", []reading{{trace.Drive{Writes: 3, Busy: 1}, 0},
			{trace.Drive{Writes: 3, Busy: 2}, 0}}, 3, 1},
		{"never idle", busy, tries, tries + 1},
	} {
		time := int64(0)
		got, at := still(reads(c.list...), func() int64 { time++; return time })
		if got["a"].Writes != c.writes || at != c.at {
			t.Errorf("%s: %d writes at %d, want %d at %d", c.name, got["a"].Writes, at, c.writes, c.at)
		}
	}
	if got, _ := still(func() map[string]reading { return nil }, func() int64 { return 0 }); got != nil {
		t.Errorf("%v where there are no counters", got)
	}
}
