package verdict

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// sample is one of a program called tool.
func sample(work, library, function string, count int64) profile.Sample {
	return profile.Sample{Process: "tool", Work: work, Library: library, Function: function, Count: count}
}

func TestWhatComputingWas(t *testing.T) {
	const nothing = onCPU
	for _, test := range []struct {
		name         string
		samples      []profile.Sample
		text, remedy string
	}{
		{"a library", []profile.Sample{sample("compression", "libz.so.1", "inflate", 60), sample("", "tool", "main", 20)},
			"75 % of its CPU time compression (inflate of libz.so.1)", "a lower level"},
		{"several libraries of one kind, without symbols", []profile.Sample{
			sample("checksums", "libb2.so.1", "", 30), sample("checksums", "libxxhash.so.0", "", 20),
			sample("", "tool", "", 10)},
			"83 % of its CPU time checksums (libb2.so.1)", "a faster one"},
		{"the kernel", []profile.Sample{sample("page faults", "kernel", "clear_page_erms", 50)},
			"100 % of its CPU time page faults (clear_page_erms of the kernel)", "huge pages"},
		{"less than half of it is of a kind", []profile.Sample{
			sample("", "tool", "simulate", 40), sample("compression", "libz.so.1", "inflate", 30)},
			"57 % of its CPU time in simulate", compute},
		{"several kinds of one library", []profile.Sample{sample("interpreting a script", "libpython.so", "eval", 20),
			sample("memory allocation", "libpython.so", "malloc", 18), sample("", "kernel", "schedule", 22)},
			"33 % of its CPU time in eval of libpython.so", compute},
		{"its own work, without symbols", []profile.Sample{sample("", "tool", "", 80)}, nothing, compute},
		{"code that is not known", []profile.Sample{sample("", "", "", 80)}, nothing, compute},
		{"few samples", []profile.Sample{sample("compression", "libz.so.1", "inflate", 15)}, nothing, compute},
		{"calls that have causes of their own", []profile.Sample{
			{Process: "tool", Call: "read", Work: "copying in memory", Library: "kernel", Function: "copy_page", Count: 80},
			{Process: "tool", Call: "stat", Work: "looking up names", Library: "kernel", Function: "d_lookup", Count: 80}},
			nothing, compute},
		{"mostly another process", []profile.Sample{
			{Process: "cc1", Work: "compiling", Library: "cc1", Count: 90}, sample("compression", "libz.so.1", "", 80)},
			"100 % of its CPU time compiling (cc1)", "ccache"},
	} {
		p := &profile.Profile{}
		p.Trace.Samples = test.samples
		r := profile.Reason{Code: cause.OwnCPU, Text: onCPU, Remedy: compute}
		a := &account{p: p}
		spentOn(a, &r)
		if share, told := a.figures["samples_share"]; told && !strings.HasPrefix(r.Text, unit.Share(share)+" ") {
			t.Errorf("%s: %q, and the figure is %s", test.name, r.Text, unit.Share(share))
		}
		if r.Text != test.text || !strings.Contains(r.Remedy, test.remedy) {
			t.Errorf("%s: %q, %q; want %q, %q", test.name, r.Text, r.Remedy, test.text, test.remedy)
		}
	}
}

// What is said already stays: a remedy that is about this program, and who computed.
func TestComputingThatIsExplained(t *testing.T) {
	p := &profile.Profile{}
	p.Trace.Samples = []profile.Sample{sample("compression", "libz.so.1", "deflate", 60)}
	for text, want := range map[string]string{
		"most of it tool: 3.0 s of CPU time":          ", 100 % of it compression (deflate of libz.so.1)",
		"7.0 of its threads wanted to run, on 2 CPUs": "; 100 % of their CPU time compression (deflate of libz.so.1)",
	} {
		r := profile.Reason{Text: text, Remedy: lessInAll}
		spentOn(&account{p: p}, &r)
		if r.Text != text+want || r.Remedy != lessInAll {
			t.Errorf("%q, %q", r.Text, r.Remedy)
		}
	}
	r := profile.Reason{Text: "to make 1,626 .pyc files out of .py: 7.97 s of CPU time", Remedy: "keep them"}
	before := r.Text
	if spentOn(&account{p: p}, &r); r.Text != before || r.Remedy != "keep them" {
		t.Errorf("%q, %q", r.Text, r.Remedy)
	}
}
