package verdict_test

import (
	"math"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// A program was ready to run for a second: who had the processors is said as far as it is known.
func TestRivals(t *testing.T) {
	busy := func(part float64) *profile.Processors {
		return &profile.Processors{BusyNS: int64(part * float64(2*second)), IdleNS: int64((1 - part) * float64(2*second))}
	}
	beside := func(p *profile.Processors) *profile.Processors {
		p.Others = []profile.Runner{{Command: "make", TimeNS: second / 2}, {Command: "baloo", TimeNS: second / 2},
			{Command: "sshd", TimeNS: second / 10}}
		return p
	}
	for _, test := range []struct {
		name       string
		processors *profile.Processors
		own        int64
		want       string
	}{
		{"nothing known", nil, second / 10, "others had the CPUs, or a quota forbade it"},
		{"too short", &profile.Processors{BusyNS: second / 10}, second / 10,
			"others had the CPUs, or a quota forbade it"},
		{"its own part known", busy(1), second / 2, "others had 1.5 of 2 CPUs on average"},
		{"nobody else", busy(.5), second, "no other program had the CPUs: a quota, too few CPUs allowed " +
			"(taskset, cpuset), or a busy host of this machine"},
		{"it had most of one itself", busy(1), second * 9 / 10, "others had 1.1 of 2 CPUs on average"},
		{"not its own part", busy(1), -1, "but the CPUs were 100 % busy"},
		{"a free moment", busy(.95), -1, "but the CPUs were 95 % busy"},
		{"one was free", busy(.5), -1, "or a quota forbade it; they were 50 % busy"},
		{"named", beside(busy(1)), second / 2, "others had 1.5 of 2 CPUs on average (make and baloo)"},
		{"named, its own part not known", beside(busy(1)), -1, "the CPUs were 100 % busy (make and baloo)"},
	} {
		p := spent(map[string]int64{"ready": second}, map[string]int64{"ready": second})
		p.Trace.Processors, p.Trace.CPUs, p.Trace.DurationNS = test.processors, 2, second
		p.Processes = []profile.Process{{CPUNS: test.own}}
		c := verdict.Judge(p).Causes
		if len(c) != 1 || c[0].Code != cause.CPUContention || !strings.HasSuffix(c[0].Text, test.want) {
			t.Errorf("%s: %+v, want %q", test.name, c, test.want)
		}
	}
}

// Where more of its threads want to run than there are processors, those that have them are its own, as far as the
// machine did nothing else.
func TestCrowded(t *testing.T) {
	for _, test := range []struct {
		name       string
		own, ready int64 // added over its threads, within a second
		busy       int64 // of 2 processors
		share      float64
	}{
		{"six threads alone", 2 * second, 4 * second, 2 * second, 1},
		{"four threads beside as much", second, 3 * second, 2 * second, 0.5},
		{"four threads that may use one of two processors", second, 3 * second, second, 0},
		{"two threads, of which one runs", second, second, 2 * second, 0},
		{"one thread beside others", second / 10, second * 9 / 10, 2 * second, 0},
		{"not told of each process", -1, 4 * second, 2 * second, 0},
	} {
		p := spent(map[string]int64{"ready": second}, map[string]int64{"ready": test.ready})
		p.Trace.Processors = &profile.Processors{BusyNS: test.busy, IdleNS: 2*second - test.busy}
		p.Trace.CPUs, p.Trace.DurationNS = 2, second
		p.Processes = []profile.Process{{CPUNS: test.own}}
		own := 0.
		for _, c := range verdict.Judge(p).Causes {
			if c.Code == cause.OwnCPU {
				own += c.Share
				if want := "of its threads wanted to run on average, on 2 CPUs"; !strings.HasSuffix(c.Text, want) {
					t.Errorf("%s: %q, want %q", test.name, c.Text, want)
				}
			}
		}
		if own != test.share {
			t.Errorf("%s: %v of the time was its own, want %v", test.name, own, test.share)
		}
	}
}

// Where the path tells for how long it waited for its own threads, the rest of the time ready is others', whatever all
// of the recording was like.
func TestCrowdedAlongThePath(t *testing.T) {
	for _, test := range []struct {
		name         string
		crowded      int64 // of a second ready
		listed       int64 // on the path; the rest is in parts that are not
		lacked       int64 // of the second on the processors
		recorder     int64 // of 2 seconds of processors
		own, quota   int64
		others, want float64 // shares
	}{
		{"alone", second, second, 0, 0, second / 2, 0, 0, 1},
		{"half of it", second / 2, second, second / 2, 0, second / 2, 0, 0.5, 0.5},
		{"one of many", 0, second, 0, 0, second, 0, 1, 0},
		{"half of the path in small parts", second / 4, second / 2, 0, 0, second, 0, 0.5, 0.5},
		{"the recorder had a fifth", second * 4 / 5, second, 0, 2 * second / 5, second, 0, 0, 1},
		{"a quota for half of it, its own threads for all", second, second, 0, 0, second, second / 2, 0, 0.5},
		{"bound to one of two processors", second / 3, second, second, 0, second, 0, 1, 0},
		{"bound to one of two processors, and others on the second", second / 3, second, second, 0, second / 10, 0, 2. / 3,
			1. / 3},
	} {
		p := spent(map[string]int64{"ready": second}, map[string]int64{"ready": second})
		p.Trace.Processors = &profile.Processors{BusyNS: second, IdleNS: second}
		if test.quota > 0 {
			p.Trace.Processors.Held = []profile.Held{{Group: "/g", TimeNS: test.quota}}
		}
		p.Trace.CPUs, p.Trace.DurationNS, p.Recorder.ReaderCPUNS = 2, second, test.recorder
		p.Processes = []profile.Process{{CPUNS: test.own}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: test.listed, CrowdedNS: test.crowded,
			RunnableNS: 7 * test.crowded, LackedNS: test.lacked, Place: profile.PathPlace{What: "ready", Label: "ready"}}}}
		share := map[string]float64{}
		for _, c := range verdict.Judge(p).Causes {
			share[c.Code] += c.Share
			if want := "7.0 of its threads wanted to run on average, on 2 CPUs"; c.Code == cause.OwnCPU &&
				(c.Text != want || c.Certainty != cause.Measured) {
				t.Errorf("%s: %q (%s), want %q", test.name, c.Text, c.Certainty, want)
			}
		}
		if math.Abs(share[cause.OwnCPU]-test.want) > 1e-6 || math.Abs(share[cause.CPUContention]-test.others) > 1e-6 {
			t.Errorf("%s: %v of the time, want %v its own and %v of others", test.name, share, test.want, test.others)
		}
	}
}
