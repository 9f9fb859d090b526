package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// onCPU is a part of the path that a process was on a processor for.
func onCPU(process, call, file string, ns, times int64) profile.PathPart {
	label := "cpu"
	if call != "" {
		label = "other_call"
	}
	return profile.PathPart{NS: ns, Count: times, Place: profile.PathPlace{What: "runs", Label: label, Process: process,
		Call: call, File: file}}
}

// TestSmallCallsOfStreams: what goes through a pipe or a socket byte by byte costs the calls and what is between them.
// What another process computes meanwhile, and one that computes for long between its calls, is none of that.
func TestSmallCallsOfStreams(t *testing.T) {
	const calls = 100_000
	for _, c := range []struct {
		name  string
		kind  trace.FileType
		size  int64
		count int64
		times int64  // between calls
		path  string // as the path says
		want  int64
		try   string
	}{
		{"a shell's read", trace.FilePipe, 1, calls, calls, "pipe:[7]", second * 6 / 10, "a program that reads blocks (awk)"},
		{"short messages", trace.FileSocket, 60, calls, calls, "", second * 6 / 10, "a larger block size"},
		{"computing between calls", trace.FilePipe, 60, calls, 20, "pipe:[7]", second * 2 / 10, "a larger block size"},
		{"blocks", trace.FilePipe, 4096, calls, calls, "pipe:[7]", 0, ""},
		{"of another pipe", trace.FilePipe, 1, calls, calls, "pipe:[8]", 0, ""},
		{"few", trace.FilePipe, 1, 9_000, calls, "pipe:[7]", 0, ""},
	} {
		p := spent(map[string]int64{"cpu": second * 8 / 10, "other_call": second * 2 / 10},
			map[string]int64{"running": second * 8 / 10, "other_calls": second * 2 / 10})
		p.Processes = []profile.Process{{Command: "sh", CPUNS: second * 6 / 10}, {Command: "gzip", CPUNS: second * 4 / 10}}
		f := &profile.Flow{Count: c.count, Bytes: c.count * c.size, Size: profile.Dist{Count: c.count, P50: c.size,
			Top: []profile.Value{{Value: c.size, Count: c.count}}}}
		p.Files = []profile.File{{Path: "pipe:[7]", Type: c.kind, Read: f}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
			onCPU("sh", "", "", second*4/10, c.times), onCPU("gzip", "", "", second*4/10, 20),
			onCPU("sh", "read", c.path, second*2/10, c.count),
		}}
		var got int64
		for _, r := range verdict.Judge(p).Causes {
			if r.Code != cause.SmallCalls {
				continue
			}
			if got = r.TimeNS; !strings.HasPrefix(r.Remedy, c.try) {
				t.Errorf("%s: %q", c.name, r.Remedy)
			}
		}
		if got != c.want {
			t.Errorf("%s: %d ns, want %d", c.name, got, c.want)
		}
	}
}

// TestComputingBesideSmallCalls: the pauses of a process that computes are no part of another's small calls, which go
// through files.
func TestComputingBesideSmallCalls(t *testing.T) {
	p := spent(map[string]int64{"cpu": second * 9 / 10, "page_cache": second / 10},
		map[string]int64{"running": second * 9 / 10, "data_calls": second / 10})
	f := &profile.Flow{Count: 100_000, Bytes: 512 * 100_000, Size: profile.Dist{Count: 100_000, P50: 512}}
	p.Layers = []profile.Layer{{Name: "calls", Read: f}}
	p.Pattern.Think = profile.Dist{Count: 100_000, P50: 700, Sum: second * 9 / 10}
	for range 3 {
		p.Processes = append(p.Processes, profile.Process{Command: "xz", CPUNS: second / 4})
	}
	p.Processes = append(p.Processes, profile.Process{Command: "cpio", CPUNS: second / 5})
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
		onCPU("xz", "", "", second*8/10, 800), onCPU("cpio", "", "", second/10, 200_000)}}
	causes := verdict.Judge(p).Causes
	if r := causes[0]; r.Code != cause.OwnCPU || !strings.HasPrefix(r.Text, "most of it 3 processes of xz") {
		t.Errorf("%+v", r)
	}
	if r := causes[1]; r.Code != cause.SmallCalls || r.TimeNS != second*2/10 {
		t.Errorf("%+v", r)
	}
}

// TestSmallCallsOfOneFile: the file that most of the small calls were of is named, and none where there are several.
func TestSmallCallsOfOneFile(t *testing.T) {
	const calls = 100_000
	for others, want := range map[int64]string{0: " of hosts.deny; each", 3 * calls: "; each"} {
		p := spent(map[string]int64{"data_call": second}, map[string]int64{"data_calls": second})
		f := &profile.Flow{Count: calls, Bytes: calls, Size: profile.Dist{Count: calls, P50: 1,
			Top: []profile.Value{{Value: 1, Count: calls}}}}
		of := *f
		of.Count = calls * calls / (calls + others)
		p.Layers = []profile.Layer{{Name: "calls", Read: f}}
		p.Files = []profile.File{{Path: "/etc/hosts.deny", Type: trace.FileRegular, Read: &of}}
		p.Pattern.Think = profile.Dist{Count: calls, P50: 300, Sum: second / 10}
		var texts []string
		for _, r := range verdict.Judge(p).Causes {
			texts = append(texts, r.Text)
		}
		if len(texts) == 0 || !strings.HasPrefix(texts[0], "100,000 reads of 1 B"+want) {
			t.Errorf("%d others: %q, want %q", others, texts, want)
		}
	}
}

// TestSmallCallsOfAPool: where each call is made by a thread that has to be woken for it, that takes the time. One that
// makes them without being woken each time computes, and so does a pool of which few small calls are waited for.
func TestSmallCallsOfAPool(t *testing.T) {
	const calls = 50_000
	const text = "50,000 reads of 40 B of index; each costs more than what it moves, and a thread is woken for each: "
	for _, c := range []struct {
		name       string
		turns, on  int64 // on the path
		ready      int64
		want, rest int64 // small calls, and waiting for a processor
	}{
		{"each read by another", 2 * calls, calls, second * 5 / 10, second * 7 / 10, 0},
		{"others have the processors", calls, calls, second * 50 / 10, second * 27 / 10, second * 25 / 10},
		{"one thread reads", 20, calls, second * 5 / 10, 0, second * 5 / 10},
		{"few are waited for", 2 * calls, calls / 3, second * 5 / 10, 0, second * 5 / 10},
	} {
		p := spent(map[string]int64{"cpu": second * 3 / 10, "other_call": second / 10, "page_cache": second / 10,
			"ready": c.ready}, map[string]int64{})
		f := &profile.Flow{Count: calls, Bytes: calls * 40, Size: profile.Dist{Count: calls, P50: 40,
			Top: []profile.Value{{Value: 40, Count: calls}}}}
		p.Layers = []profile.Layer{{Name: "calls", Read: f}}
		p.Files = []profile.File{{Path: "/srv/index", Type: trace.FileRegular, Read: f},
			{Path: "anon_inode:[eventfd]", Type: trace.FileAnon, Read: &profile.Flow{Count: 2 * calls}}}
		p.Pattern.Think = profile.Dist{Count: calls, P50: 90_000, Sum: second}
		p.Path = &profile.Path{TotalNS: p.TimeStack.TotalNS, Turns: c.turns, Parts: []profile.PathPart{
			onCPU("pool", "", "", second*3/10, 10), onCPU("pool", "write", "", second/10, calls),
			{NS: second / 10, Count: c.on, Place: profile.PathPlace{What: "runs", Label: "page_cache", Process: "pool",
				Call: "read"}},
			{NS: c.ready, Count: c.turns, Place: profile.PathPlace{What: "ready", Label: "ready", Process: "pool"}},
		}}
		got := map[string]int64{}
		for _, r := range verdict.Judge(p).Causes {
			got[r.Code] += r.TimeNS
			if r.Code == cause.SmallCalls && !strings.HasPrefix(r.Text, text) {
				t.Errorf("%s: %q", c.name, r.Text)
			}
		}
		if got[cause.SmallCalls] != c.want || got[cause.CPUContention] != c.rest {
			t.Errorf("%s: %v, want %d and %d", c.name, got, c.want, c.rest)
		}
	}
}
