package verdict_test

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// A program that makes files of one kind out of files of another says what it computes for, if that is most of what it
// computes.
func TestComputedOutOf(t *testing.T) {
	p := spent(map[string]int64{"cpu": second}, map[string]int64{"running": second})
	p.Processes = []profile.Process{{PID: 1, Command: "sh", CPUNS: 1}, {PID: 2, Command: "cwebp", CPUNS: second}}
	for _, c := range []struct {
		computed profile.Computed
		text     string
	}{
		{profile.Computed{From: ".png", To: ".webp", Files: 90, NS: second * 8 / 10},
			"to make 90 .webp files out of .png: 800 ms of CPU time"},
		{profile.Computed{From: ".png", To: ".webp", Files: 90, NS: second / 3}, "most of it cwebp (2): 1.00 s of CPU time"},
		{profile.Computed{From: ".png", To: ".webp", Files: 1, NS: second}, "most of it cwebp (2): 1.00 s of CPU time"},
		{profile.Computed{From: ".6", To: ".log", Files: 90, NS: second}, "most of it cwebp (2): 1.00 s of CPU time"},
	} {
		p.Computed = []profile.Computed{c.computed}
		if got := verdict.Judge(p).Causes[0].Text; got != c.text {
			t.Errorf("%+v: %q, want %q", c.computed, got, c.text)
		}
	}
	p.Computed = []profile.Computed{{From: ".png", To: ".webp", Files: 90, NS: second}}
	p.Processes[0].CPUNS = -1
	if got := verdict.Judge(p).Causes[0].Text; got == "to make 90 .webp files out of .png: 1.00 s of CPU time" {
		t.Errorf("%q, though it is not known what others computed", got)
	}
}
