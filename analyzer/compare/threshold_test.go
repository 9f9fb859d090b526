package compare

import (
	"strings"
	"testing"
)

func TestParseThreshold(t *testing.T) {
	for _, good := range []string{"throughput<-10%", "read_latency>+20%", "read_latency_p99 > 20%", "similarity<0.9", "call_depth<-0.5%", "locality<-5%"} {
		if _, err := ParseThreshold(good); err != nil {
			t.Error(err)
		}
	}
	for bad, why := range map[string]string{
		"": "want DIMENSION", "throughput": "want DIMENSION", "throughput<-10": "write it in %", "speed<-10%": `no dimension "speed"`,
		"similarity<90%": "from 0 to 1", "similarity<2": "from 0 to 1", "locality_p99<1%": "no percentiles", "throughput<1.2.3%": "not a number",
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
