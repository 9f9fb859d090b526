package dtrace

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

func TestLossMessages(t *testing.T) {
	for line, want := range map[string]loss{
		"dtrace: [DTRACEDROP_PRINCIPAL] 12 drops on CPU 3":                                 {12, 3},
		"dtrace: [DTRACEDROP_PRINCIPAL] 1 drop on CPU 0":                                   {1, 0},
		"[DTRACEDROP_AGGREGATION] dtrace: 7 aggregation drops on CPU 11":                   {7, 11},
		"dtrace: [DTRACEDROP_DYNAMIC] 4 dynamic variable drops":                            {4, -1},
		"dtrace: [DTRACEDROP_DYNDIRTY] 5 dynamic variable drops with non-empty dirty list": {5, -1},
	} {
		if got, ok := parseLoss(line); !ok || got != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
	for _, line := range []string{"", "dtrace: script matched 4 probes", "[DTRACEDROP_", "dtrace: [DTRACEDROP_X] none",
		"dtrace: error on enabled probe ID 3"} {
		if l, ok := parseLoss(line); ok {
			t.Errorf("%q is a loss of %+v", line, l)
		}
	}
}

// More CPUs than are told apart: what the others dropped is counted all the same.
func TestLossesOfManyCPUs(t *testing.T) {
	d := newDecoder(config{Platform: Linux, CPUs: 1}, &trace.Log{})
	const cpus = MaxCPUs + 10
	for cpu := range int32(cpus) {
		if err := d.Lost(loss{Count: 1, CPU: cpu}, 5); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := d.Counts().Lost[trace.KindSyscall]; n != cpus {
		t.Errorf("%d lost, want %d", n, cpus)
	}
}
