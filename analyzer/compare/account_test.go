package compare

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// command is a profile of a command that took so long, by causes, with so many syncs.
func command(total, syncs int64, causes ...profile.Reason) *profile.Profile {
	return &profile.Profile{
		Command: []string{"x"}, TimeStack: profile.TimeStack{TotalNS: total}, Verdict: profile.Verdict{Causes: causes},
		Calls: []profile.Call{{Op: "sync", Name: "fsync", Count: syncs}}, WallNS: total, DurableNS: total,
	}
}

func cause(code, name string, ns int64) profile.Reason {
	return profile.Reason{Code: code, Name: name, TimeNS: ns}
}

func TestAccount(t *testing.T) {
	sync, cpu := "waiting until data was safe", "the program itself"
	for _, c := range []struct {
		name    string
		subject []*profile.Profile
		want    string
	}{
		{"more of one cause", []*profile.Profile{command(9e9, 300, cause("sync", sync, 8e9), cause("own_cpu", cpu, 1e9))},
			"b took 9.00 s, a 1.00 s: 9.0 times as long. What changed is waiting until data was safe: 8.00 s against none, 100 % of " +
				"the difference. Amounts: syncs 300 against 0; calls 300 against 0."},
		{"less of one cause", []*profile.Profile{command(3e8, 0, cause("own_cpu", cpu, 3e8))},
			"b took 300 ms, a 1.00 s: 30 % of the time. What changed is the program itself: 300 ms against 900 ms, 86 % of " +
				"the difference."},
		{"the same", []*profile.Profile{command(1.05e9, 0, cause("own_cpu", cpu, 1e9))},
			"b took 1.05 s, a 1.00 s: about as long."},
		{"medians of runs", []*profile.Profile{
			command(2e9, 0, cause("own_cpu", cpu, 2e9)), command(4e9, 0, cause("own_cpu", cpu, 3.9e9)),
			command(40e9, 0, cause("sync", sync, 38e9)),
		}, "b took 4.00 s, a 1.00 s: 4.0 times as long. What changed is the program itself: 3.90 s against 900 ms, 100 % of " +
			"the difference."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var runs []*Side
			for _, p := range c.subject {
				runs = append(runs, FromProfile("b", p))
			}
			b := Join(runs)
			b.Name = "b"
			got := Compare(FromProfile("a", command(1e9, 0, cause("own_cpu", cpu, 9e8))), b).Account
			if got == nil || got.Text != c.want {
				t.Errorf("\n got %+v\nwant %s", got, c.want)
			}
		})
	}
	if a := Compare(FromProfile("a", command(1e9, 0)), FromProfile("b", &profile.Profile{})).Account; a != nil {
		t.Errorf("a recording of no command has the account %+v", a)
	}
}
