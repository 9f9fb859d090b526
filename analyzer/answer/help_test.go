package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// What would have less to do comes first where that is what the time went to: a drive that writes all the time has no
// less to write if a file stays open, but if it is not written twice.
func TestInsteadOfTheCause(t *testing.T) {
	for _, c := range []struct{ of, cause, want string }{
		{"reopened", cause.DeviceBandwidth, "a faster drive"},
		{"reopened", cause.Sync, "a faster drive"},
		{"reopened", cause.Names, keepOpen + "; a faster drive"},
		{"reopened", cause.UserSpaceFS, keepOpen + "; a faster drive"},
		{"written_over", cause.DeviceBandwidth, writeOnce + "; a faster drive"},
		{"written_over", cause.OwnCPU, "a faster drive"},
		{"holes_read", cause.DeviceBandwidth, keepOpen + "; a faster drive"},
		{"holes_read", cause.OtherEnd, "a faster drive"},
		{"rewritten", cause.DeviceBandwidth, changeLess + "; a faster drive"},
		{"rewritten", cause.DeviceLatency, "a faster drive"}, // it was read once
		{"copied_again", cause.DeviceBandwidth, keepOpen + "; a faster drive"},
		{"copied_again", cause.OwnCPU, "a faster drive"}, // who computes is no copier
		{"temporary_files", cause.OwnCPU, "a faster drive"},
	} {
		p := &profile.Profile{Observations: []profile.Sentence{{Code: c.of, Instead: keepOpen}}}
		if instead := map[string]string{"written_over": writeOnce, "rewritten": changeLess}[c.of]; instead != "" {
			p.Observations[0].Instead = instead
		}
		p.Verdict.Causes = []profile.Reason{{Code: c.cause, TimeNS: 1e10, Certainty: cause.Measured,
			Remedy: "a faster drive"}}
		if _, got := help(p); got != c.want {
			t.Errorf("%s where the cause is %s: %q, want %q", c.of, c.cause, got, c.want)
		}
	}
}

// A file that one program reads over and over is no work of another that computes.
func TestComputedElsewhere(t *testing.T) {
	const reader, packer = 7, 8
	for _, c := range []struct {
		of    string
		users []uint32
		want  string
	}{
		{cause.OwnCPU, []uint32{reader}, "fewer bytes"},
		{cause.OwnCPU, []uint32{reader, packer}, readOnce + "; fewer bytes"},
		{cause.OwnCPU, make([]uint32, profile.MaxUsers), readOnce + "; fewer bytes"}, // not all are listed
		{cause.DeviceLatency, []uint32{reader}, readOnce + "; fewer bytes"},
	} {
		p := &profile.Profile{
			Processes:    []profile.Process{{PID: reader, CPUNS: 1e9}, {PID: packer, CPUNS: 4e9}},
			Files:        []profile.File{{Path: "/lists", Processes: []uint32{packer}}, {Path: "/index", Processes: c.users}},
			Observations: []profile.Sentence{{Code: "rewound", Subject: "/files/1", Instead: readOnce}},
		}
		if got := against(p, &profile.Reason{Code: c.of, Remedy: "fewer bytes"}); got != c.want {
			t.Errorf("%s, used by %v: %q, want %q", c.of, c.users, got, c.want)
		}
	}
}

// A file that a device was read for once is in memory when it is read again: where the first time took most, it is that
// which has to be less.
func TestReadAgainFromMemory(t *testing.T) {
	const size = 64 << 20
	for _, c := range []struct {
		name, of string
		device   int64
		share    float64
		want     string
	}{
		{"once, and that took most", cause.DeviceLatency, size, 0.9, "fewer requests"},
		{"once, and other things took more", cause.DeviceLatency, size, 0.3, readOnce + "; fewer requests"},
		{"again and again", cause.DeviceLatency, 4 * size, 0.9, readOnce + "; fewer requests"},
		{"computing", cause.OwnCPU, size, 0.9, readOnce + "; fewer requests"},
	} {
		p := &profile.Profile{
			Files:        []profile.File{{Path: "/photos.db", Size: size, DeviceRead: &profile.Flow{Bytes: c.device}}},
			Observations: []profile.Sentence{{Code: "rewound", Subject: "/files/0", Instead: readOnce}},
		}
		got := against(p, &profile.Reason{Code: c.of, Share: c.share, Remedy: "fewer requests"})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What was written over in memory before a drive wrote it is no more to write for the drive.
func TestWrittenTwice(t *testing.T) {
	const size, wrote = 64 << 20, 128 << 20
	for spared, want := range map[int64]string{0: writeOnce, size: ""} {
		p := &profile.Profile{Files: []profile.File{{Path: "/srv/out.mp4", Type: trace.FileRegular, Size: size,
			Write: &profile.Flow{Bytes: wrote}}}}
		p.Amounts.Devices = []profile.Amount{{Name: "sda", Write: profile.Moved{
			Spared: []profile.Part{{Code: profile.Overwritten, Bytes: spared}}}}}
		o := &observer{p: p}
		if over(o); len(o.list) != 1 || o.list[0].Instead != want {
			t.Errorf("%d bytes spared: %+v, want %q instead", spared, o.list, want)
		}
	}
}

// Where syncs take the time, which each have little to write, fewer bytes help as little as more syncs at once do where
// a process has to answer each write.
func TestWhatHelpsAgainstSyncs(t *testing.T) {
	for _, c := range []struct{ note, of, want string }{
		{"zeros", cause.Sync, "fewer syncs"}, {"zeros", cause.DeviceBandwidth, "instead; fewer syncs"},
		{"growing_log", cause.Sync, "instead; fewer syncs"}, {"growing_log", cause.UserSpaceFS, "fewer syncs"},
	} {
		p := &profile.Profile{Observations: []profile.Sentence{{Code: c.note, Subject: "/files/0", Instead: "instead"}}}
		if got := against(p, &profile.Reason{Code: c.of, Share: 0.9, Remedy: "fewer syncs"}); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.note, c.of, got, c.want)
		}
	}
}
