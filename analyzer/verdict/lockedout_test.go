package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// An operation that waits for a lock of a file waits for that, whatever its holder does, be it at a device. The time of
// the holder itself at the device stays what it is.
func TestLockOfOtherOperations(t *testing.T) {
	part := func(ns int64, place profile.PathPlace) profile.PathPart {
		place.Process = "dovecot"
		return profile.PathPart{Place: place, NS: ns, Count: 10}
	}
	sync := profile.PathPlace{What: "service", Label: "sync", Call: "datasync", Device: "sda", Request: "write"}
	under := func(file string) profile.PathPlace {
		place := sync
		place.Label, place.Lock = "lock", "/var/mail/"+file
		return place
	}
	asleep := profile.PathPlace{What: "sleeps", Label: "lock", Lock: "/var/mail/joe"}
	for _, c := range []struct {
		parts []profile.PathPart
		code  string
		ns    int64
		text  string
	}{
		{[]profile.PathPart{part(6*second, under("joe")), part(2*second, asleep), part(second, sync)}, cause.BlockedInCall,
			8 * second, "others of dovecot held: 8.00 s in all, most of it while the holder waited for sda"},
		{[]profile.PathPart{part(2*second, under("joe")), part(2*second, under("ann")), part(second, sync)},
			cause.BlockedInCall, 4 * second, "a lock on files, which"},
		{[]profile.PathPart{part(9*second, sync), part(second, asleep)}, cause.Sync, 9 * second, ""},
	} {
		p := spent(map[string]int64{"waiting": 10 * second}, nil)
		p.Operations = &profile.Operations{Parts: c.parts}
		for i := range c.parts {
			p.Operations.TotalNS += c.parts[i].NS
		}
		causes := verdict.Judge(p).Causes
		if len(causes) == 0 || causes[0].Code != c.code || causes[0].TimeNS != c.ns ||
			!strings.Contains(causes[0].Text, c.text) || causes[0].Certainty != cause.Measured {
			t.Errorf("%+v, want %s for %d ns: %q", causes, c.code, c.ns, c.text)
		}
	}
}

// Processes of a command that take turns under a lock are told so, beside what each of them did.
func TestTurnsUnderALock(t *testing.T) {
	for locked, told := range map[int64]bool{second * 9 / 10: true, second / 5: false} {
		p := spent(map[string]int64{"device_write": second}, nil)
		write := profile.PathPlace{What: "service", Label: "device_write", Call: "write", Device: "sda", Request: "write"}
		under := write
		under.Lock = "/run/backup.lock"
		p.Path = &profile.Path{Parts: []profile.PathPart{{Place: under, NS: locked}, {Place: write, NS: second - locked}}}
		p.Devices = []profile.Device{drive(1)}
		causes := verdict.Judge(p).Causes
		if len(causes) == 0 || told != strings.HasPrefix(causes[0].Text,
			"one at a time, as others waited for the lock on backup.lock, 900 ms in all: ") ||
			told != strings.HasPrefix(causes[0].Remedy, "a shorter time under the lock") {
			t.Errorf("%d ns under a lock: %+v", locked, causes)
		}
	}
}
