package trace

import "testing"

func TestOpNamed(t *testing.T) {
	for op := Op(0); op < numOps; op++ {
		if got := OpNamed(op.String()); got != op {
			t.Errorf("%s is %d, want %d", op, got, op)
		}
	}
	if got := OpNamed("no operation"); got != OpOther {
		t.Errorf("a name of none is %s", got)
	}
}
