package sysinfo

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

func TestParse(t *testing.T) {
	const line = " 254       0 vda 7230 3417 512394 4820 91817 40213 5338066 80120 2 31276 84941 0 0 0 0 4210 1001\n"
	d, ok := parse(line)
	want := trace.Drive{Name: "vda", Reads: 7230, ReadBytes: 512394 * 512, Writes: 91817, WrittenBytes: 5338066 * 512,
		Busy: 31276e6}
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
	c := OpenDrives()
	if c.before == nil {
		t.Skip("this system has no counters of its drives")
	}
	for name, d := range c.before {
		d.Reads, d.ReadBytes = d.Reads+1, d.ReadBytes+1 // as if it had counted further than it does now
		c.before[name] = d
	}
	for _, d := range c.Close() {
		if d.Reads < 0 || d.ReadBytes < 0 || d.Writes < 0 || d.WrittenBytes < 0 || d.Busy < 0 {
			t.Errorf("%+v", d)
		}
	}
}
