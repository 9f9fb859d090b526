package block

import "testing"

// TestGaps: what blkparse -d writes has remaps under the partition's number, with numbers of the disk's; nothing is
// missing there. What really is, is told beside them.
func TestGaps(t *testing.T) {
	const disk, partition = 8 << 20, 8<<20 | 1
	type step struct {
		device, cpu, sequence, action uint32
	}
	for name, c := range map[string]struct {
		steps []step
		want  uint64
	}{
		"one after the other": {[]step{{disk, 0, 1, actQueue}, {disk, 0, 2, actIssue}, {disk, 0, 3, actComplete}}, 0},
		"of two CPUs":         {[]step{{disk, 0, 1, actQueue}, {disk, 1, 9, actIssue}, {disk, 0, 2, actComplete}}, 0},
		"missing":             {[]step{{disk, 0, 1, actQueue}, {disk, 0, 5, actIssue}}, 3},
		"remaps": {[]step{{partition, 0, 1, actRemap}, {disk, 0, 2, actQueue}, {disk, 0, 3, actIssue},
			{partition, 0, 4, actRemap}, {disk, 0, 5, actQueue}, {partition, 0, 6, actRemap}, {partition, 0, 7, actRemap},
			{disk, 0, 8, actQueue}}, 0},
		"remaps, and missing": {[]step{{disk, 0, 2, actQueue}, {partition, 0, 4, actRemap}, {disk, 0, 6, actQueue}}, 2},
		"remaps of the device itself": {[]step{{disk, 0, 1, actQueue}, {disk, 0, 2, actRemap}, {disk, 0, 3, actRemap},
			{disk, 0, 4, actIssue}}, 0},
		"of another CPU": {[]step{{disk, 0, 1, actQueue}, {partition, 1, 2, actRemap}, {disk, 0, 3, actQueue}}, 1},
		"a number twice": {[]step{{disk, 0, 1, actQueue}, {partition, 0, 2, actRemap}, {partition, 0, 2, actRemap},
			{disk, 0, 3, actQueue}}, 0},
	} {
		g := newGaps()
		for _, s := range c.steps {
			g.before(&record{Device: s.device, CPU: s.cpu, Sequence: s.sequence, Action: s.action | catRead})
		}
		if g.missing != c.want {
			t.Errorf("%s: %d are missing, want %d", name, g.missing, c.want)
		}
	}
}
