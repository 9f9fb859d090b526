package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// runs are processes of one command that came one after the other, each of which used the same file.
type runs struct {
	command string
	count   int64
}

// runsOn are those that used a file, if it has as many users as are listed and most of them are of one command. A pool
// of workers is none: these run side by side.
func runsOn(p *profile.Profile, users []uint32) (r runs) {
	if len(users) < profile.MaxUsers {
		return runs{}
	}
	counts := map[string]int{}
	for i := range p.Processes {
		x := &p.Processes[i]
		if slices.Contains(users, x.PID) {
			if counts[x.Command]++; 2*counts[x.Command] > len(users) {
				r.command = x.Command
			}
		}
	}
	var ended, lived int64
	for i := range p.Processes {
		x := &p.Processes[i]
		if r.command == "" || x.Command != r.command {
			continue
		}
		if r.count++; x.EndNS >= 0 { // the end of one may not be seen
			ended++
			lived += x.EndNS - x.StartNS
		}
	}
	if 2*ended <= r.count || lived > p.WallNS {
		return runs{}
	}
	return r
}

// usersOf are the processes that used files of a name: each that took it, one after the other.
func usersOf(p *profile.Profile, name string) (users []uint32) {
	for i := range p.Files {
		if f := &p.Files[i]; f.Path == name {
			for _, pid := range f.Processes {
				if !slices.Contains(users, pid) {
					users = append(users, pid)
				}
			}
		}
	}
	return users
}

// words say by whom; "" if there are none.
func (r runs) words() string {
	if r.count == 0 {
		return ""
	}
	return fmt.Sprintf(" by %s of %s", unit.Things(r.count, "run"), r.command)
}

// instead is what to do in place of what each run does anew: that of others if there are none.
func (r runs) instead(otherwise string) string {
	if r.count == 0 {
		return otherwise
	}
	return "run " + r.command + " once for all files"
}

// figures are the numbers of the words.
func (r runs) figures() map[string]float64 {
	if r.count == 0 {
		return nil
	}
	return map[string]float64{"runs": float64(r.count)}
}
