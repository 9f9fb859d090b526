//go:build linux

package corpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace"
)

// startedBy is a program with much memory that starts another one so many times, by such a statement.
func startedBy(statement string, times int) string {
	return python(`m = mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); path = "/bin/true"
m.madvise(mmap.MADV_NOHUGEPAGE); m[::4096] = bytes(len(m) >> 12)
for i in range(%d):
    %s
    os.wait()`, times, statement)
}

// TestForks: a program with much memory that forks to start others hears that, and not where it starts them without.
func TestForks(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "python3")
	for _, c := range []struct {
		statement string
		op        trace.Op
	}{
		{"if os.fork() == 0: os.execv(path, [path])", trace.OpFork},
		{"os.posix_spawn(path, [path], os.environ)", trace.OpSpawn},
	} {
		t.Run(c.op.String(), func(t *testing.T) {
			p := attempt(t, in("/", firstServed+startedBy(c.statement, 100))...)
			made := map[trace.Op]int64{}
			for _, call := range p.Calls {
				made[call.Op] += call.Count - call.Errors
			}
			if made[c.op] < 100 || c.op == trace.OpSpawn && made[trace.OpFork] >= 100 { // python3 may be a shell's script
				t.Errorf("%d forks and %d spawns, want 100 of %v", made[trace.OpFork], made[trace.OpSpawn], c.op)
			}
			said := ""
			for _, r := range p.Verdict.Causes {
				if r.Code == cause.Fork {
					said = fmt.Sprint(r.Text, "; ", r.Remedy)
				}
			}
			if c.op == trace.OpSpawn && said != "" {
				t.Errorf("without a fork: %s", said)
			}
			if c.op == trace.OpFork && !(strings.Contains(said, " forks of python3, ") &&
				strings.Contains(said, "MB of page tables") && strings.Contains(said, "posix_spawn")) {
				t.Errorf("%q\n%s", said, causes(p.Verdict))
			}
		})
	}
}
