//go:build linux

package corpus

import (
	"fmt"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
)

// Kinds of work once more, with other programs.
var ofAgain = []kind{
	{situation{"a counter read by a shell", "40,000 times", func(t testing.TB, n int) []string {
		dir := workDir(t)
		run(t, "sh", "-c", "cd "+dir+"; echo 7 > counter; sync counter")
		return in(dir, firstServed+fmt.Sprintf("sh -c 'i=0; while [ $i -lt %d ]; do read k < counter; i=$((i + 1)); done'",
			40_000*n))
	}, is(cause.OwnCPU, cause.Names, cause.SmallCalls), false}, "reopened", "counter was opened 40,00",
		"counter was opened"},
	{situation{"a file for each user, opened for each line", "60 files; perl", func(t testing.TB, n int) []string {
		return in(workDir(t), firstServed+fmt.Sprintf(`perl -e 'for $i (1..%d) {
open(F, ">>", "user" . ($i * 7 %% 60)); print F "seen today\n"; close F }'`, 6000*n))
	}, is(cause.OwnCPU, cause.Names, cause.Settling, cause.SmallCalls), false}, "reopened_all",
		" of them again and again", "files were opened 6,"},
	{situation{"one value of a large file", "60 MB/s; python reads, writes and renames", func(t testing.TB,
		n int) []string {
		dir := rated(t, 60_000_000, 1)
		run(t, "sh", "-c", fmt.Sprintf("seq %d > %s/base && sync -f %[2]s", 4_000_000*n, dir))
		anew(t, dir, "noatime")
		return in(dir, python(`d = open("base").read(); open("base.new", "w").write(d.replace("\n777\n", "\n778\n"))
os.replace("base.new", "base"); os.sync()`))
	}, is(cause.DeviceBandwidth, cause.DeviceLatency, cause.OwnCPU, cause.Readahead, cause.Sync), false}, "replaced",
		"base was read and written anew as a whole", "written anew"},
	{situation{"a copy by way of the same drive", "40 MB/s; cp, install, rm", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 24*n), "mkdir tmp; cp file tmp/x; install -m 600 tmp/x copy; rm tmp/x; sync -f .")
	}, onDrive, false}, "via_temporary", "file was written twice: through ", "was written twice"},
	{situation{"an index of sums, made for the first time", "each read takes 4 ms; files are mapped", func(t testing.TB,
		n int) []string {
		return in(manyRead(t, n, "true"), python(sums))
	}, is(cause.DeviceLatency, cause.MappedReads, cause.OwnCPU, cause.ProgramStart), false}, "read_all",
		"the next one reads what has changed", "First run, as "},
}

// TestKindsAreTwice: of a kind that has a situation there is another one, with a program or a file system of its own.
func TestKindsAreTwice(t *testing.T) {
	of := map[string]int{}
	for _, k := range slices.Concat(ofMounts, ofOtherMounts, ofWork, ofSteps, ofSubmits, ofAgain) {
		of[k.code]++
	}
	for code, n := range of {
		if n < 2 {
			t.Errorf("%s has %d situation", code, n)
		}
	}
}
