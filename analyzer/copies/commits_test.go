package copies

import "testing"

// TestCommits: what began before the data was written does not count, and of very many some are forgotten, never to
// the side that is not safe.
func TestCommits(t *testing.T) {
	var c commits
	const most = 100_000
	for i := int64(1); i <= most; i++ {
		c.add(10*i, 10*i+5)
	}
	if len(c.list) > mostCommits {
		t.Errorf("%d are kept", len(c.list))
	}
	for _, at := range []int64{0, 11, 5000, 10 * most / 2, 10*most - 30_000} {
		if end := c.after(at); end < at || end > at+10*most/mostCommits*8 {
			t.Errorf("what was written at %d is safe at %d", at, end)
		}
	}
	c = commits{}
	c.add(10, 100) // two at once
	c.add(20, 30)
	for at, want := range map[int64]int64{5: 30, 10: 30, 15: 30, 21: 0} {
		if got := c.after(at); got != want {
			t.Errorf("written at %d: safe at %d, want %d", at, got, want)
		}
	}
}
