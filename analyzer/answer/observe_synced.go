package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// syncTogether is what to do in place of a sync for each new file.
const syncTogether = "keep files and change what is in them, or make all of them and sync them at once (syncfs)"

// syncedNew is for new files that were synced one by one, once each, whatever else took more of the time: so a database
// does that makes the files of a table anew. Those that were removed again are told as such.
func syncedNew(o *observer) {
	for i := range o.p.Synced {
		s := &o.p.Synced[i]
		if s.New < fewestTimes || 2*s.New <= s.Syncs+s.Directories || 3*s.Files < 2*s.Syncs || 2*s.Removed > s.Syncs {
			continue
		}
		call := callOf(o.p, s)
		if call == nil || !o.worthTelling(call.TimeNS) {
			continue
		}
		at := fmt.Sprintf("/synced/%d", i)
		o.say("synced_new", at, fmt.Sprintf("%s, each synced once: %s in %s; %s.", unit.Things(s.New, "new file"),
			unit.Nanoseconds(call.TimeNS), call.Name, syncTogether), number(at+"/new", float64(s.New)),
			number(at+"/syncs", float64(s.Syncs)))
		o.instead(syncTogether)
		return
	}
}

// callOf is the call by which files were synced most.
func callOf(p *profile.Profile, s *profile.Synced) (most *profile.Call) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op == s.Op && (most == nil || c.TimeNS > most.TimeNS) {
			most = c
		}
	}
	return most
}
