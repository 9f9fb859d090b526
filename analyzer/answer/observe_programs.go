package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
)

func launches(o *observer) {
	n, told := 0, map[string]bool{}
	for i, l := range o.p.Launches {
		if told[l.Exe] || l.DiskNS <= 0 || l.DiskNS*20 < l.WallNS || l.WallNS*20 < o.p.WallNS || n >= maxObserved {
			continue
		}
		n++
		told[l.Exe] = true
		at := fmt.Sprintf("/launches/%d", i)
		what := "took %s to start"
		if l.Until == "exit" || l.WallNS*10 > o.p.WallNS*9 { // its start was all it did
			what = "ran for %s"
		}
		waking := ""
		if l.SavingNS > l.DiskNS+l.DiskNS/10 {
			waking = ", and waking up afterwards"
		}
		o.say("launch", at, fmt.Sprintf("%s "+what+" (%s caches) and was blocked on the disk for %s of that: "+
			"a drive of zero latency would save that%s, at most %s.", l.Exe, unit.Nanoseconds(l.WallNS), l.State,
			unit.Nanoseconds(l.DiskNS), waking, unit.Nanoseconds(l.SavingNS)),
			number(at+"/wall_ns", float64(l.WallNS)), number(at+"/disk_ns", float64(l.DiskNS)),
			number(at+"/upper_saving_ns", float64(l.SavingNS)))
	}
}

func scrubs(o *observer) {
	for i, s := range o.p.Scrubs[:min(len(o.p.Scrubs), maxObserved)] {
		at := fmt.Sprintf("/scrubs/%d", i)
		o.say("scrub", at, fmt.Sprintf("%s jumps through %s, %s read after each in %s; one in a hundred took %s or more "+
			"(%s cache).",
			unit.Count(s.Jumps), s.Path, unit.BlockSize(s.PerJump.P50), unit.Nanoseconds(s.JumpTime.P50),
			unit.Nanoseconds(s.JumpTime.P99), s.State),
			number(at+"/jumps", float64(s.Jumps)), number(at+"/jump_read_bytes/p50", float64(s.PerJump.P50)),
			number(at+"/jump_time_ns/p50", float64(s.JumpTime.P50)), number(at+"/jump_time_ns/p99", float64(s.JumpTime.P99)))
	}
}
