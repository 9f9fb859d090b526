package world

import (
	"fmt"
	"testing"
)

// TestRankKeepsWhatIsUsedMost: where more files were used than are listed, a tenth of the places is for those with most
// events, such as a directory of which no byte was read.
func TestRankKeepsWhatIsUsedMost(t *testing.T) {
	busy, idle := &File{Path: "/dir", Events: 3000}, &File{Path: "/idle", Events: 1}
	files := &Files{All: []*File{idle, busy}}
	for i := range 40 {
		files.All = append(files.All, &File{Path: fmt.Sprint("/", i), Weight: int64(100 + i), Events: 2})
	}
	files.Rank(20)
	if !busy.Listed || busy.Number != 20 || idle.Listed {
		t.Errorf("%+v %+v", *busy, *idle)
	}
	for i, f := range files.All {
		if f.Number != i+1 || f.Listed != (i < 20) || i > 0 && i < 20 && f.Weight > files.All[i-1].Weight {
			t.Errorf("%d: %+v", i, *f)
		}
	}
	files.Rank(100)
	if !idle.Listed || files.All[0].Weight != 139 {
		t.Errorf("%+v", *files.All[0])
	}
}
