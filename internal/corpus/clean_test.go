//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
)

// imposedOnly are causes that nobody meets who copies files on a machine that does nothing else.
var imposedOnly = []string{
	cause.CPUContention, cause.CPUQuota, cause.DirtyLimit, cause.BlockedInCall, cause.UserSpaceFS,
	cause.NetworkFS,
	cause.Readahead,
	cause.LimitAbove, cause.OtherUsers, cause.SlowingDown, cause.Fragmentation, cause.MemoryPressure,
	cause.CacheDropped,
	cause.Compression, cause.CopyUp,
}

// TestCleanRuns: where nothing is imposed, nothing of that is measured, with a tenth of the time or more.
func TestCleanRuns(t *testing.T) {
	if !*every {
		t.Skip("part of make verdicts")
	}
	needPrivilege(t)
	dir := workDir(t)
	fill(t, filepath.Join(dir, "file"), 48<<20)
	run(t, "sh", "-c",
		"mkdir "+dir+"/tree && cd "+dir+"/tree && for i in $(seq 200); do head -c 20000 ../file > $i; done; sync -f .")
	commands := []string{
		"cp file copy", "dd if=file of=copy bs=64k", "dd if=/dev/zero of=copy bs=1M count=48 oflag=direct",
		"cat file > /dev/null",
		"cp -r tree album; rm -r album", "tar cf copy tree", "dd if=file of=copy bs=1M conv=fsync", "sha256sum file",
	}
	const rounds = 5
	said := map[string]int{}
	for i := range rounds * len(commands) {
		command, trace := commands[i%len(commands)], filepath.Join(dir, "trace")
		keep(t, trace, in(dir, command+"; rm -f copy")...)
		v := show(t, trace).Verdict
		t.Logf("%s: %s", command, causes(v))
		for _, c := range v.Causes {
			if c.Share < 0.1 || !slices.Contains(imposedOnly, c.Code) {
				continue
			}
			said[fmt.Sprintf("%s (%s)", c.Code, c.Certainty)]++
			switch {
			case c.Certainty != cause.Measured:
			case c.Code == cause.CPUContention && crowded(t): // it is true
			default:
				t.Errorf("%s: %s took %.2f, measured: %s", command, c.Code, c.Share, c.Text)
			}
		}
	}
	t.Logf("of %d runs, with a tenth of the time or more: %v", rounds*len(commands), said)
}
