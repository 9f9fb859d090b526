package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// What helps with a mapped file depends on the order in which it is touched, on what the kernel was told of that, and
// on how much came in each time.
func TestAdviceOnMappings(t *testing.T) {
	order, random := &profile.AccessPattern{Sequential: 1}, &profile.AccessPattern{Sequential: .5, Backward: .5}
	down := &profile.AccessPattern{Backward: 1}
	for _, c := range []struct {
		name    string
		pattern *profile.AccessPattern
		filled  int64 // of 400 MB, with 100 waits
		advice  string
		want    string
	}{
		{"in order", order, 128 << 10, "", "prefetch"},
		{"in order, though told that it is not", order, 4096, "random", "leave out MADV_RANDOM"},
		{"all of it, backwards, as memcpy goes at times", down, 4 << 20, "random", "leave out MADV_RANDOM"},
		{"all of it by the call that maps it", order, 128 << 10, "populate", "leave out MAP_POPULATE"},
		{"at random, with much around it", random, 1 << 20, "", "prefetch what will be touched"},
		{"at random, with more around it than the drive can read", random, 1 << 20, "busy", "less around each touch"},
		{"at random, page by page", random, 4096, "random", "touch it in order"},
		{"at random, and little around it", random, 16 << 10, "", "touch it in order"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Files = []profile.File{{Path: "/data", Size: 400 << 20, Faults: &profile.FaultCount{Count: 100, TimeNS: second,
			Filled:  100 * c.filled,
			Pattern: c.pattern}}}
		if c.advice == "busy" {
			p.Devices = busy(false).Devices
		} else if c.advice == "populate" {
			p.Calls = []profile.Call{{Op: trace.OpMmap, Name: "mmap", Count: 1, TimeNS: second * 6 / 10}}
		} else if c.advice != "" {
			p.Files[0].Advice = map[string]int64{c.advice: 1}
		}
		if v := verdict.Judge(p); v.Causes[0].Code != cause.MappedReads || !strings.HasPrefix(v.Causes[0].Remedy, c.want) {
			t.Errorf("%s: %+v", c.name, v.Causes)
		}
	}
}

// Where no file has half of the time, all of them are told, and not the one that took longest.
func TestManyMappedFiles(t *testing.T) {
	fault := func(path string, ns int64) profile.File {
		return profile.File{Path: path, Size: 1 << 20, Faults: &profile.FaultCount{Count: 1, TimeNS: ns, Filled: 1 << 20,
			Latency: profile.Dist{Count: 1, P50: ns, P90: ns, Max: ns, Sum: ns}}}
	}
	read := &profile.Flow{Count: 3, Bytes: 3 << 20,
		Latency: profile.Dist{Count: 3, P50: second / 4, P90: second / 4, Max: second / 2, Sum: second}}
	for _, c := range []struct {
		name    string
		files   []profile.File
		omitted int64
		code    string
		want    string
	}{
		{"three alike", []profile.File{fault("/a", second/4), fault("/b", second/2-1), fault("/c", second/4)}, 0,
			cause.MappedReads, "3 files are mapped, not read by calls, such as b, at 3.15 MB/s: 3 waits for 3.15 MB"},
		{"more than are kept", []profile.File{fault("/a", second/4), fault("/b", second/2-1), fault("/c", second/4)}, 7,
			cause.MappedReads, "more than 3 files are mapped"},
		{"one of half", []profile.File{fault("/a", second/4), fault("/b", second/2), fault("/c", second/4)}, 0,
			cause.MappedReads, "b is mapped, not read by calls, at 2.10 MB/s: 1 wait"},
		{"libraries", []profile.File{fault("/a", second/4), fault("/lib/b.so", second/2), fault("/c", second/4)}, 0,
			cause.ProgramStart, "the program and its libraries had to be read, such as b.so"},
		{"a library among more", []profile.File{fault("/a", second/3), fault("/lib/b.so", second/2-1), fault("/c", second/3)},
			0, cause.MappedReads, "2 files are mapped, not read by calls, such as a"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Files, p.Omitted.Files = c.files, c.omitted
		p.Layers = []profile.Layer{{Name: "calls"}, {Name: "faults", Read: read}}
		if v := verdict.Judge(p); v.Causes[0].Code != c.code || !strings.HasPrefix(v.Causes[0].Text, c.want) {
			t.Errorf("%s: %+v", c.name, v.Causes)
		}
	}
}

// Of many files that were waited for a few times each, that is said: no more of them was touched.
func TestFewWaitsEach(t *testing.T) {
	for files, want := range map[int]string{
		40: "40 files are mapped, not read by calls, 1.50 waits each, such as",
		10: "10 files are mapped, not read by calls, such as",
		3:  "3 files are mapped, not read by calls, such as",
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		for i := range files {
			p.Files = append(p.Files, profile.File{Path: fmt.Sprintf("/index/%d", i), Faults: &profile.FaultCount{Count: 1,
				TimeNS: second / int64(files), Filled: 128 << 10}})
		}
		p.Layers = []profile.Layer{{Name: "calls"}, {Name: "faults", Read: &profile.Flow{Count: int64(files) * 3 / 2,
			Bytes: int64(files) << 17}}}
		if r := verdict.Judge(p).Causes[0]; r.Code != cause.MappedReads || !strings.HasPrefix(r.Text, want) {
			t.Errorf("%d files: %+v", files, r)
		}
	}
}
