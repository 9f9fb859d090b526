package trial

import (
	"io"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/conversion"
)

// Speed is the benchmark of an importer: how fast a text becomes a trace, all of it.
func Speed(b *testing.B, i *convert.Importer, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	defer PerSecond(b, len(text))()
	for b.Loop() {
		if r := Trace(b, i, text); r.Counts.Damaged > 0 {
			b.Fatalf("%+v", r.Counts)
		}
	}
}

// Trace makes a trace of a text, which nobody keeps.
func Trace(t testing.TB, i *convert.Importer, text string) *conversion.Result {
	t.Helper()
	in := conversion.Inputs{List: []convert.Input{{Reader: strings.NewReader(text), Name: "text"}}}
	r, err := conversion.Import(io.Discard, i, &in, "a test")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// PerSecond reports how much was read in a second of CPU time, of all threads: what others do on the machine does not
// change it much.
func PerSecond(b *testing.B, size int) func() {
	before := cpu(b)
	return func() { b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpu(b)-before), "MB/cpu-s") }
}

func cpu(b *testing.B) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
