package compare

import (
	"strings"
	"testing"
)

func TestParseThreshold(t *testing.T) {
	for _, good := range []string{"throughput<-10%", "read_latency>+20%", "read_latency_p99 > 20%", "similarity<0.9",
		"call_depth<-0.5%", "locality<-5%"} {
		if _, err := ParseThreshold(good); err != nil {
			t.Error(err)
		}
	}
	for bad, why := range map[string]string{
		"": "want DIMENSION", "throughput": "want DIMENSION", "throughput<-10": "write it in %",
		"speed<-10%": `no dimension "speed"`, "similarity<90%": "from 0 to 1", "similarity<2": "from 0 to 1",
		"locality_p99<1%": "no percentiles", "throughput<1.2.3%": "not a number",
	} {
		if _, err := ParseThreshold(bad); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", bad, err, why)
		}
	}
}

func TestThresholds(t *testing.T) {
	value := func(v float64) *Side {
		s := &Side{Name: "s", Kind: Trace, Runs: 1}
		for i := range s.values {
			s.values[i] = none("none")
		}
		s.values[throughput] = Value{State: Known, Points: []Point{{v, 1}}}
		s.values[readLatency] = Value{State: Known, Points: []Point{{100, 0.95}, {v * 1000, 0.05}}}
		s.values[writeLatency] = unknown("not recorded")
		return s
	}
	c := Compare(value(100), value(80))
	for text, want := range map[string]bool{
		"throughput<-10%": true, "throughput<-30%": false, "throughput>+1%": false, "read_latency>1%": false,
		"read_latency_p99<-10%": true, "read_latency_p50<-10%": false, "similarity<0.5": false, "sync>1%": false,
	} {
		th, err := ParseThreshold(text)
		check(t, err)
		found, broken, err := th.Broken(c)
		if err != nil || broken != want {
			t.Errorf("%s: %v, %q, %v", text, broken, found, err)
		}
	}
	th, err := ParseThreshold("write_latency>10%")
	check(t, err)
	if _, _, err := th.Broken(c); err == nil || !strings.Contains(err.Error(), "not recorded") {
		t.Errorf("a check of what is not known passed: %v", err)
	}
}

// A threshold tests its own dimension alone: it must be able to close, and say so
// where it is not.
func TestThresholdsOfRuns(t *testing.T) {
	side := func(times ...float64) *Side {
		var all []*Side
		for _, v := range times {
			s := &Side{Name: "run", Kind: Trace, Runs: 1}
			for i := range kinds {
				s.values[i] = Value{State: Known, Points: []Point{{v, 0.9}, {v * 10, 0.1}}}
				if kinds[i].unit == "share" {
					s.values[i] = portions{{"x", 1 / v}, {"y", 1}}.value(Value{})
				}
			}
			all = append(all, s)
		}
		return Join(all)
	}
	old := side(100, 104, 97, 101)
	for _, test := range []struct {
		text   string
		runs   *Side
		broken bool
		why    string
	}{
		{"wall_time>+10%", side(300, 310, 320, 330), true, ""},
		{"wall_time>+10%", side(99, 105, 98, 102), false, ""},
		{"wall_time>+300%", side(300, 310, 320, 330), false, ""},
		{"read_latency_p99>+10%", side(300, 310, 320, 330), true, ""},
		{"wall_time>+10%", side(300, 310, 320), false, "at least 4 a side"},
		{"wall_time>+10%", side(100, 105, 98), false, "at least 4 a side"},
		{"wall_time>+10%", side(100, 118, 112, 125), false, "record about"},
		{"wall_time>+1%", side(1, 1000, 4, 200000), false, "scatter too much"},
	} {
		th, err := ParseThreshold(test.text)
		check(t, err)
		found, broken, err := th.Broken(Compare(old, test.runs))
		if broken != test.broken || (err == nil) != (test.why == "") || err != nil &&
			!strings.Contains(err.Error(), test.why) {
			t.Errorf("%s: %v, %q, %v, want %v, %q", test.text, broken, found, err, test.broken, test.why)
		}
	}
}

func FuzzParseThreshold(f *testing.F) {
	for _, s := range []string{"throughput<-10%", "similarity<0.9", "x>%", "call_size_p99>1e9%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if th, err := ParseThreshold(s); err == nil && th.Text != strings.TrimSpace(s) {
			t.Fatal(th)
		}
	})
}
