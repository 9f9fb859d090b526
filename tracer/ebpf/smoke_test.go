//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/tracer"
)

func TestEveryCallIsRecorded(t *testing.T) {
	needBPF(t)
	rec := recordCommand(t, Options{}, nil, workload.Args("calls", "/dev/zero", "10007")...)
	if got := len(rec.calls("pread64", "/dev/zero")); got != 10007 {
		t.Errorf("%d pread64 calls on /dev/zero, want 10007", got)
	}
}

// The verifier follows each program through all its branches whenever a recording begins: most of the half second that
// takes. 33,000 instructions of one was the most when this was written; before look-ups stood at one place, 99,000.
func TestVerifierIsSpared(t *testing.T) {
	needBPF(t)
	if legacyProbes {
		t.Skip("it follows every turn of a loop of theirs")
	}
	s := begin(t, Options{}, tracer.Scope{All: true})
	for name, p := range s.collection.Programs {
		info, err := p.Info()
		if err != nil {
			t.Fatal(err)
		}
		n, ok := info.VerifiedInstructions()
		if most := uint32(40_000); !ok || n > most {
			t.Errorf("%s: %d instructions verified (known: %v), want %d at most", name, n, ok, most)
		}
	}
	s.finish()
}
