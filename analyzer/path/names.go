package path

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Names says what the parts of an account are called.
type Names struct {
	survey    *survey.Survey
	processes *world.Processes // nil while these are not known
	asks      *asks            // nil where nothing was asked of servers
	// of operations: what the holder of a lock does is of its own, and of whoever waits for the lock it is a wait
	operations bool
}

// NamesOf are those of a recording.
func NamesOf(s *survey.Survey, t *world.Processes) Names { return Names{survey: s, processes: t} }

// Label is the label of the time stack that segments of a kind fall under.
func (c *Names) Label(k *Key) timeline.Label {
	if k.Locked != 0 && c.operations {
		return timeline.Blocked
	}
	f := c.survey.Files.File(k.Call.File)
	whose := c.Whose(k.Thread)
	if k.Beyond != 0 { // whatever it does, it does for another program
		whose = Others
	}
	return Label(k, whose, f != nil && f.Data())
}

// Whose a thread is.
func (c *Names) Whose(id uint32) Whose {
	recorded, _ := c.survey.Known(id)
	switch {
	case recorded || id == 0:
		return Workload
	case c.survey.Kernel(id):
		return Kernel
	}
	return Others
}

// Parts are those of an account by what they are called, most time first. Those that differ in the file, or in the size
// of what a server was asked for, are one.
func (c *Names) Parts(a *Account) []*profile.PathPart {
	byPlace := map[profile.PathPlace]*profile.PathPart{}
	type presence struct {
		part   *profile.PathPart
		thread uint32
	}
	seen := map[presence]bool{}
	times := map[titled]int64{}
	var list []*profile.PathPart
	for _, x := range a.Parts() {
		place := c.Place(&x.Key, x.Label)
		file := place.File
		bytes := place.RPCBytes
		place.File, place.RPCBytes = "", 0
		part := byPlace[place]
		if part == nil {
			part = &profile.PathPart{Place: place}
			part.Place.File = file
			byPlace[place] = part
			list = append(list, part)
		}
		if part.Place.File != file {
			part.Place.File = ""
		}
		part.Place.RPCBytes = max(part.Place.RPCBytes, bytes)
		if k := (presence{part, x.Key.Thread}); !seen[k] {
			seen[k] = true
			part.Threads++
		}
		times[titled{part, c.title(x.Key.Thread)}] += x.NS
		part.NS, part.Count, part.LongestNS = part.NS+x.NS, part.Count+x.Count, max(part.LongestNS, x.Longest)
		part.Waits += x.Waits
		part.CrowdedNS, part.RunnableNS = part.CrowdedNS+x.Crowded, part.RunnableNS+x.Runnable
		part.LackedNS += x.Lacked
	}
	for x, ns := range times {
		if 2*ns > x.part.NS {
			x.part.Title = x.title
		}
	}
	for _, x := range list {
		if x.Threads == 1 {
			x.Threads = 0
		}
	}
	slices.SortStableFunc(list, func(x, y *profile.PathPart) int { return cmp.Compare(y.NS, x.NS) })
	return list
}

// titled is a part, as far as it is of processes with one title.
type titled struct {
	part  *profile.PathPart
	title string
}

// title is that of the process of a thread; "" if it has none.
func (c *Names) title(thread uint32) string {
	if t := c.survey.Threads[thread]; t != nil && c.processes != nil {
		if who := c.processes.Find(t.PID); who != nil {
			return who.Title
		}
	}
	return ""
}

// Place puts names to numbers.
func (c *Names) Place(k *Key, l timeline.Label) profile.PathPlace {
	out := profile.PathPlace{What: k.What.String(), Label: l.String(), Fault: k.Call.Fault, Copy: k.Call.Copy}
	if recorded, _ := c.survey.Known(k.Thread); recorded {
		if t := c.survey.Threads[k.Thread]; t != nil && c.processes != nil {
			if who := c.processes.Find(t.PID); who != nil {
				out.Process = who.Command
			}
		}
	} else if k.Thread != 0 {
		out.Helper, out.Process = true, c.survey.Helpers[k.Thread].Command
	}
	if k.Beyond != 0 {
		out.Beyond = c.survey.Helpers[k.Beyond].Command
	}
	if k.Call.In && !k.Call.Fault {
		out.Call = k.Call.Op.String()
	}
	if f := c.survey.Files.File(k.Call.File); k.Behind != 0 && f != nil && f.Data() {
		out.Behind = k.Behind.String()
	}
	if f := c.survey.Files.File(k.Locked); k.Locked != 0 && f != nil {
		out.Lock = f.Path
	}
	if k.Cause.Halted() {
		out.By, out.ByPID = c.process(k.Request.By)
	}
	file := k.Call.File
	if k.Request.Device != 0 {
		out.Request, out.Meta = k.Request.Op.String(), k.Request.Flags&trace.ReqMeta != 0
		if command, kernel := c.survey.Outsider(k.Request.By); !kernel { // which may work for the recorded ones
			out.By = command
		}
		if d := c.survey.Devices.Find(k.Request.Device); d != nil {
			out.Device = d.Name
		}
		file = cmp.Or(k.Request.File, file)
	}
	if a := c.asks.at(cmp.Or(k.Request.Ask, k.Ask)); a != nil {
		out.RPC, out.Server, out.RPCBytes = a.Procedure, a.Server, a.Bytes
		if command, kernel := c.survey.Outsider(k.Request.By); !kernel {
			out.By = command
		}
		file = cmp.Or(k.Request.File, file)
	}
	if f := c.survey.Files.File(file); f != nil && file != 0 {
		out.File = f.Path
	}
	return out
}

// process is that of a thread, recorded or not; "" and 0 if it is not known.
func (c *Names) process(id uint32) (command string, pid uint32) {
	if t := c.survey.Threads[id]; t != nil && c.processes != nil {
		if who := c.processes.Find(t.PID); who != nil {
			return who.Command, t.PID
		}
	}
	h := c.survey.Helpers[id]
	return h.Command, h.PID
}
