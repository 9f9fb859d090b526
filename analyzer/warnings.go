package analyzer

// This file says which numbers of a profile are doubtful, and why.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// The parts of a profile that rest on one kind of event each.
var (
	fromCalls    = []string{"/layers/0", "/files", "/processes", "/calls", "/copies", "/time_stack"}
	fromAsync    = []string{"/layers/0", "/files", "/processes", "/calls", "/copies"}
	fromRequests = []string{"/layers", "/devices", "/files", "/copies", "/phases", "/time_stack", "/durable_ns"}
	fromFaults   = []string{"/files", "/processes", "/launches"}
	fromWaits    = []string{"/time_stack", "/processes", "/launches"}
	fromFiles    = []string{"/files", "/copies"}
	everything   = []string{""}
)

// touched says which parts a missing kind of event touches.
var touched = map[string][]string{
	"syscall": fromCalls, "asyncop": fromAsync, "fault": fromFaults, "request": fromRequests, "wait": fromWaits,
	"process": {"/processes", "/time_stack", "/launches"}, "file": fromFiles, "device": {"/devices", "/layers"},
}

// limits says which parts of a profile each limit of a backend touches. One that
// is not listed, of a newer recorder, is taken to touch everything.
var limits = map[trace.LimitCode][]string{
	trace.LimitNoCalls: fromCalls, trace.LimitNoAsync: fromAsync, trace.LimitNoUring: fromAsync,
	trace.LimitNoRequested: {"/copies"}, trace.LimitNoPaths: fromFiles, trace.LimitNoClones: {"/copies"},
	trace.LimitNoFaults: fromFaults, trace.LimitNoFill: {"/files", "/copies"}, trace.LimitNoWaits: fromWaits,
	trace.LimitNoWakers:     fromWaits,
	trace.LimitNoThrottling: {"/time_stack", "/processes"}, trace.LimitNoProcesses: {"/processes", "/launches"},
	trace.LimitNoRequests: fromRequests, trace.LimitNoRequestFiles: {"/devices", "/files", "/copies"},
	trace.LimitNoDirectFiles: fromFiles, trace.LimitNoBioDevices: fromRequests, trace.LimitNoMerges: {"/devices"},
	trace.LimitNoTransactions: {"/devices", "/amounts"},
	trace.LimitNoRPCs:         {"/server_requests", "/path", "/verdict"},
	trace.LimitNoQueue:        {"/devices"}, trace.LimitNoErrors: {"/devices"},
	trace.LimitNoFlushes: {"/devices"}, trace.LimitMmapFiles: {"/files"},
	trace.LimitGuardedOffsets: {"/files", "/pattern"}, trace.LimitNoDurations: everything, trace.LimitNoTimes: everything,
	trace.LimitNoPlaces: fromRequests, trace.LimitHostClocks: {"/time_stack", "/phases"},
	trace.LimitPartial: everything,
}

// addWarnings lists what makes numbers of the profile doubtful, and marks them. What
// collectors had to leave out is among the warnings of the profile already.
func addWarnings(s *survey.Survey, p *profile.Profile) {
	w := &warnings{p: p, lost: &s.Lost}
	leftOut := p.Warnings
	p.Warnings = nil
	warnOfGaps(s, w)
	warnOfLosses(s, w)
	for _, l := range s.Header.Limits {
		if !p.Matters(string(l.Code)) {
			continue
		}
		affects, known := limits[l.Code]
		if !known {
			affects = everything
		}
		w.add("limit:"+string(l.Code), l.Text, affects, 0)
	}
	if s.Whole {
		for _, text := range s.End.Warnings {
			w.add("recorder", text, everything, 0)
		}
		if s.End.Error != "" {
			w.add("recorder_error", "Recording ended with an error: "+s.End.Error, everything, 0)
		}
	}
	warnOfVolumes(s, w)
	warnOfBounds(s, w, leftOut)
	w.mark()
	if p.Warnings == nil {
		p.Warnings = []profile.Warning{}
	}
}

func warnOfGaps(s *survey.Survey, w *warnings) {
	if !s.Whole {
		w.add("interrupted", "The trace has no end: recording was interrupted. Everything up to its last complete part is "+
			"here; "+
			"what came later, and the exit status, is not. Record again if the end matters.", everything, 0)
	}
	if s.Damage > 0 {
		w.add("damaged", fmt.Sprintf("%s of the trace file could not be read and left out; their events are missing. "+
			"`iotrace events` lists where. Copy the file again from where it was recorded.",
			unit.Things(int64(s.Damage), "part")), everything, uint64(s.Damage))
	}
	if counted(s) == 0 {
		w.add("empty", "The trace holds no events: the command did no I/O in scope, or nothing was recorded. Check "+
			"`iotrace doctor`.", everything, 0)
	}
	if s.Whole && s.End.Durable < 0 && s.End.CommandEnd >= 0 && w.p.Layers[0].Write != nil &&
		w.p.Layers[0].Write.Bytes > 0 {
		w.add("not_durable", "Recording ended before everything that was written had reached the device; durable times are "+
			"not known. "+
			"Record with a longer --drain.", []string{"/durable_ns", "/copies"}, 0)
	}
}

func counted(s *survey.Survey) uint64 {
	n := uint64(0)
	for _, c := range s.Counts {
		n += c
	}
	return n
}

// tolerated is the share of the events of a kind up to which their loss changes sums by no
// more than that, and nothing else: numbers are not marked for it.
const tolerated = 0.01

func warnOfLosses(s *survey.Survey, w *warnings) {
	total, share := uint64(0), 0.0
	var affects []string
	for _, kind := range measure.SortedKeys(s.Lost.Kinds) {
		lost := s.Lost.Kinds[kind]
		total += lost
		part := float64(lost) / float64(lost+recorded(s, kind))
		if share = max(share, part); part <= tolerated {
			continue
		}
		parts, known := touched[kind]
		if !known {
			parts = everything
		}
		affects = measure.Union(affects, parts)
	}
	events := unit.Things(int64(total), "event")
	switch {
	case total == 0:
	case len(affects) == 0:
		w.add("lost", fmt.Sprintf("%s could not be recorded (%s), %s of their kind at most: sums are too low by no more "+
			"than that.",
			events, describe(s.Lost.Kinds), unit.Share(share)), []string{}, total)
	default:
		text := fmt.Sprintf("%s could not be recorded (%s). Counts and bytes they belong to are too low, and times near "+
			"them may be wrong; see lost.slices for when.", events, describe(s.Lost.Kinds))
		if remedy := remedyOfLosses(s); remedy != "" {
			text += " " + remedy
		}
		w.add("lost", text, affects, total)
	}
}

// recorded is how many events of a kind there are.
func recorded(s *survey.Survey, kind string) uint64 {
	for k, n := range s.Counts {
		if trace.Kind(k).String() == kind {
			return n
		}
	}
	return 0
}

// remedyOfLosses tells a buffer that was full from one that had room: then the kernel did not run a probe. What to do
// about the losses of an import its importer says.
func remedyOfLosses(s *survey.Survey) string {
	if strings.HasPrefix(s.Header.Backend, "import:") {
		return ""
	}
	if r := s.End.Recorder; s.Whole && r.BufferSize > 0 && r.BufferPeak*2 < r.BufferSize {
		return "The buffer had room: the kernel did not run the probes at these moments, as while another tracer comes or " +
			"goes. Record again."
	}
	return "Record with a larger --buffer, or less at once."
}

func warnOfBounds(s *survey.Survey, w *warnings, leftOut []profile.Warning) {
	if n := s.Files.Omitted; n > 0 {
		w.add("files_omitted", fmt.Sprintf("More than %d files were used; %d identities are counted together as \"(other "+
			"files)\". "+
			"Copies among them are not reported.", s.Files.Max, n), fromFiles, uint64(n))
	}
	if n := w.p.Omitted.Processes; n > 0 {
		w.add("processes_omitted", fmt.Sprintf("More than %d processes were seen; %d are counted together.",
			world.MaxProcesses, n),
			[]string{"/processes"}, uint64(n))
	}
	for _, x := range leftOut {
		w.add(x.Code, x.Text, x.Affects, x.Count)
	}
	if n := s.Files.Repeats; n > 0 {
		w.add("repeated_ids", fmt.Sprintf("%s given twice, for different files; the first one counts. "+
			"The trace was not written by a sound recorder.", unit.Things(int64(n), "file number was", "file numbers were")),
			fromFiles, uint64(n))
	}
}

func describe(kinds map[string]uint64) string {
	var parts []string
	for _, k := range measure.SortedKeys(kinds) {
		name := cmp.Or(kindNames[k], k)
		many := name + "s"
		if k == trace.KindProcess.String() {
			many = name + "es"
		}
		parts = append(parts, unit.Things(int64(kinds[k]), name, many))
	}
	return strings.Join(parts, ", ")
}

// kindNames are what kinds of events are called in a sentence, where that is not what they are called in a trace.
var kindNames = map[string]string{"syscall": "call", "asyncop": "asynchronous operation", "fault": "page fault"}

// warnings collects them and the marks they leave.
type warnings struct {
	p     *profile.Profile
	lost  *survey.Losses
	marks map[string][]string // part → codes
}

func (w *warnings) add(code, text string, affects []string, count uint64) {
	w.p.Warnings = append(w.p.Warnings, profile.Warning{Code: code, Text: text, Affects: affects, Count: count})
	if w.marks == nil {
		w.marks = map[string][]string{}
	}
	for _, part := range affects {
		w.marks[part] = append(w.marks[part], code)
	}
}

// on lists the codes that touch a part.
func (w *warnings) on(part string) []string {
	return append(append([]string(nil), w.marks[""]...), w.marks[part]...)
}

// during lists the codes that touch a part within a stretch of time: losses
// touch only what they may have belonged to.
func (w *warnings) during(part string, from, to int64) []string {
	codes := w.on(part)
	if !w.lost.Within(from, to) {
		codes = slices.DeleteFunc(codes, func(c string) bool { return c == "lost" })
	}
	return codes
}

// mark puts the codes onto the parts.
func (w *warnings) mark() {
	p := w.p
	for i := range p.Layers {
		if p.Layers[i].Level > 0 {
			p.Layers[i].Marks = w.on("/layers")
		} else {
			p.Layers[i].Marks = w.on("/layers/0")
		}
	}
	for i := range p.Files {
		p.Files[i].Marks = w.on("/files")
	}
	for i := range p.Devices {
		p.Devices[i].Marks = w.on("/devices")
	}
	for i := range p.Processes {
		p.Processes[i].Marks = w.on("/processes")
	}
	for i := range p.Copies {
		c := &p.Copies[i]
		until := c.StartNS + c.WallNS
		if c.DeviceWrite != nil {
			until = max(until, c.DeviceWrite.LastNS)
		}
		c.Marks = append(c.Marks, w.during("/copies", c.StartNS, until)...)
	}
	for i := range p.CopyGroups {
		g := &p.CopyGroups[i]
		g.Marks = append(g.Marks, w.during("/copies", g.StartNS, g.StartNS+max(g.WallNS, g.DurableNS))...)
	}
	for i := range p.Launches {
		l := &p.Launches[i]
		l.Marks = w.during("/launches", l.StartNS, l.StartNS+l.WallNS)
	}
	for i := range p.Scrubs {
		s := &p.Scrubs[i]
		s.Marks = w.during("/files", s.StartNS, s.StartNS+s.WallNS)
	}
	p.TimeStack.Marks = w.on("/time_stack")
}
