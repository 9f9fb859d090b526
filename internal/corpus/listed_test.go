//go:build linux

package corpus

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestTreesAreListedOnce: programs that go through a tree list each directory once or twice, and nothing is told of it.
func TestTreesAreListedOnce(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "find", "du", "tar", "ls", "rm")
	dir := workDir(t)
	for _, script := range []string{
		"mkdir -p t; for i in $(seq 200); do mkdir t/$i; touch t/$i/a t/$i/b; done",
		"find t -type f", "du -s t", "tar cf all t", "ls -lR t", "rm -r t",
	} {
		p := attempt(t, in(dir, script+" > /dev/null")...)
		if o := p.Observed("listed_again"); o != nil {
			t.Errorf("%s: %s", script, o.Text)
		}
		if most := listedMost(p); most > 2 {
			t.Errorf("%s: a directory was listed %d times", script, most)
		}
	}
}

// listedMost is how often the directory was listed that was listed most often.
func listedMost(p *profile.Profile) (n int64) {
	for i := range p.Files {
		if d := p.Files[i].Directory; d != nil {
			n = max(n, d.Listings)
		}
	}
	return n
}
