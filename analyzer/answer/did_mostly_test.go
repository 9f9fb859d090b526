package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// The file that a program computes of is named where nearly all bytes are of it, and no note and no drive tells of it.
func TestMostly(t *testing.T) {
	const all = 100 << 20
	for _, c := range []struct {
		name, cause, noted string
		part               int64
		want               string
	}{
		{"a video", cause.OwnCPU, "", all, ", mostly of film.mkv"},
		{"while others compute", cause.CPUContention, "", all, ", mostly of film.mkv"},
		{"half of it", cause.OwnCPU, "", all / 2, ""},
		{"the drive", cause.DeviceBandwidth, "", all, ""},
		{"a note on it", cause.OwnCPU, "/files/0/read", all, ""},
		{"a note on another file", cause.OwnCPU, "/files/01", all, ", mostly of film.mkv"},
	} {
		p := &profile.Profile{Files: []profile.File{{Path: "/srv/film.mkv", Type: trace.FileRegular,
			Read: &profile.Flow{Bytes: c.part}}}}
		p.Verdict.Causes = []profile.Reason{{Code: c.cause}}
		if c.noted != "" {
			p.Observations = []profile.Sentence{{Code: "rewound", Subject: c.noted}}
		}
		if got := mostly(p, reads, all); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
