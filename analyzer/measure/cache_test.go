package measure

import "testing"

func TestCacheOf(t *testing.T) {
	for _, c := range []struct {
		read, filled, device int64
		told                 bool
		state                string
	}{
		{100, 0, 0, true, "warm"}, {100, 4, 0, true, "warm"}, {100, 50, 0, true, "mixed"}, {100, 100, 100, true, "cold"},
		{100, 200, 0, true, "cold"}, {0, 0, 0, true, "unknown"},
		{100, 0, 0, false, "unknown"}, {100, 0, 100, false, "cold"}, {100, 3, 0, false, "warm"},
	} {
		got := CacheOf(c.read, c.filled, c.device, c.told)
		if got.State != c.state || c.state == "unknown" && got.HitShare != 0 {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
