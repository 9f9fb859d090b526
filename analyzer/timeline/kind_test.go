package timeline

import "testing"

func TestKinds(t *testing.T) {
	t.Parallel()
	seen := map[[2]string]bool{}
	for k := range NumKinds {
		id := [2]string{k.Label().String(), k.Within()}
		if seen[id] {
			t.Errorf("kind %d is %v, as another one", k, id)
		}
		seen[id] = true
		if got, ok := KindNamed(id[0], id[1]); !ok || got != k {
			t.Errorf("kind %d has the name %v, which is that of %d, %v", k, id, got, ok)
		}
	}
	for l := range NumLabels {
		for _, c := range []Class{NoCall, DataCall, MetaCall, SyncCall, OtherClass, AsyncCall, AskedCall} {
			k := KindOf(l, c)
			if k.Label() != l {
				t.Errorf("%v in class %d is under %v", l, c, k.Label())
			}
			if w := k.Within(); w == "sync" && c != SyncCall || w == "names" && c != MetaCall {
				t.Errorf("%v in class %d is within %q", l, c, w)
			}
		}
	}
	if w := KindOf(DeviceWrite, SyncCall).Within(); w != "sync" {
		t.Errorf("writes that a sync waited for are within %q", w)
	}
	if _, ok := KindNamed("cpu", "sync"); ok {
		t.Error("a processor is told apart by who waits for it")
	}
}
