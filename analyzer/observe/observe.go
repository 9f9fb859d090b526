// Package observe writes the sentences of a profile. It knows the profile and
// nothing of how it came about.
package observe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// observer writes observations: sentences an expert would put beside a table.
// Each names the numbers it rests on; none is written without.
type observer struct {
	p    *profile.Profile
	list []profile.Sentence
}

// maxObserved is how many copies, files or devices get sentences of their own.
const maxObserved = 3

func Sentences(p *profile.Profile) []profile.Sentence {
	o := &observer{p: p, list: []profile.Sentence{}}
	o.failures()
	o.copies()
	o.groups()
	o.wall()
	o.syncs()
	o.fullSyncs()
	o.steps()
	o.devices()
	o.files()
	o.launches()
	o.scrubs()
	return o.list
}

// number is one piece of evidence.
func number(pointer string, value float64) profile.Evidence {
	return profile.Evidence{Pointer: pointer, Value: value}
}

func (o *observer) say(code, subject, text string, evidence ...profile.Evidence) {
	s := profile.Sentence{Code: code, Text: text, Subject: subject, Evidence: evidence}
	for _, w := range o.p.Warnings {
		for _, part := range w.Affects {
			if part == "" || strings.HasPrefix(subject, part) {
				s.Marks = measure.Union(s.Marks, []string{w.Code})
			}
		}
	}
	o.list = append(o.list, s)
}

// wall says where the time went.
func (o *observer) wall() {
	t := o.p.TimeStack
	if t.WallNS <= 0 {
		return
	}
	order := make([]int, 0, len(t.Slices))
	busy := int64(0)
	for i, s := range t.Slices {
		if s.Group == "device" {
			busy += s.NS
		}
		if s.Label != "draining" && s.NS*20 >= t.WallNS {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(t.Slices[b].NS/1000) - int(t.Slices[a].NS/1000) })
	var parts []string
	evidence := []profile.Evidence{number("/wall_ns", float64(o.p.WallNS))}
	for _, i := range order {
		parts = append(parts, fmt.Sprintf("%s %s", wording.Share(float64(t.Slices[i].NS)/float64(t.WallNS)), t.Slices[i].Text))
		evidence = append(evidence, number(fmt.Sprintf("/time_stack/slices/%d/ns", i), float64(t.Slices[i].NS)))
	}
	if len(parts) > 0 {
		o.say("time_stack", "/time_stack", fmt.Sprintf("Of %s: %s.", wording.Duration(o.p.WallNS), strings.Join(parts, ", ")), evidence...)
	}
	if o.p.DurableNS > o.p.WallNS+o.p.WallNS/20 && o.wrote() {
		o.say("draining", "/durable_ns", fmt.Sprintf("The command returned after %s, but its data was on the device only after %s.",
			wording.Duration(o.p.WallNS), wording.Duration(o.p.DurableNS)), number("/wall_ns", float64(o.p.WallNS)), number("/durable_ns", float64(o.p.DurableNS)))
	}
}

// wrote reports whether there is data to become durable.
func (o *observer) wrote() bool {
	return slices.ContainsFunc(o.p.Layers, func(l profile.Layer) bool { return l.Write != nil && l.Write.Bytes > 0 })
}

// steps words the change points. One that several curves show is one step.
func (o *observer) steps() {
	told := make([]bool, len(o.p.ChangePoints))
	for i, s := range o.p.ChangePoints {
		if told[i] {
			continue
		}
		at := fmt.Sprintf("/change_points/%d", i)
		verb := "fell"
		if s.Ratio > 1 {
			verb = "rose"
		}
		seen := []string{seriesText(&s)}
		for k := i + 1; k < len(o.p.ChangePoints); k++ {
			if x := &o.p.ChangePoints[k]; o.same(&s, x) {
				told[k] = true
				seen = append(seen, seriesText(x))
			}
		}
		var causes []string
		for _, c := range s.Causes {
			if len(c.For) > 0 && len(c.Against) == 0 {
				causes = append(causes, c.Text)
			}
		}
		text := fmt.Sprintf("The rate (%s) %s from %s to %s after %s.", wording.List(seen), verb, wording.Speed(s.Before), wording.Speed(s.After), unit.Bytes(s.AtBytes))
		if len(causes) > 0 {
			text += " It would fit this trace that " + strings.Join(causes, ", or that ") + "; the experiments listed with it decide."
		} else {
			text += " This trace does not say why; the experiments listed with it decide."
		}
		o.say("step", at, text, number(at+"/at_bytes", float64(s.AtBytes)), number(at+"/before_bytes_per_s", float64(s.Before)),
			number(at+"/after_bytes_per_s", float64(s.After)))
	}
}

func seriesText(s *profile.Step) string {
	if s.Device != "" {
		return s.Series + " of " + s.Device
	}
	return s.Series
}

// same reports whether two curves show the same step: in the same direction,
// at the same time within two chunks of either.
func (o *observer) same(a, b *profile.Step) bool {
	near := int64(0)
	for _, f := range o.p.Phases {
		for _, s := range []*profile.Step{a, b} {
			if f.Series == s.Series && f.Device == s.Device && f.Chunks > 0 {
				near = max(near, 2*(f.ToNS-f.FromNS)/int64(f.Chunks))
			}
		}
	}
	return (a.Ratio < 1) == (b.Ratio < 1) && max(a.AtNS-b.AtNS, b.AtNS-a.AtNS) <= near
}

// syncs says what durability cost.
func (o *observer) syncs() {
	for i, c := range o.p.Calls {
		if c.Async || c.Op != "sync" && c.Op != "datasync" && c.Op != "sync_range" && c.Op != "syncfs" && c.Op != "msync" {
			continue
		}
		if c.TimeNS*20 < o.p.WallNS || fullSync(&c) {
			continue
		}
		at := fmt.Sprintf("/calls/%d", i)
		added := ""
		if len(o.p.Processes) > 1 || o.p.Processes[0].Threads > 1 {
			added = ", added over threads"
		}
		o.say("sync", at, fmt.Sprintf("%s took %s in all, %s each: that is %s of the wall time%s.", wording.Plural(c.Count, c.Name+" call", c.Name+" calls"),
			wording.Duration(c.TimeNS), wording.Times(&c.Latency), wording.Share(float64(c.TimeNS)/float64(max(o.p.WallNS, 1))), added),
			number(at+"/count", float64(c.Count)), number(at+"/time_ns", float64(c.TimeNS)), number(at+"/latency_ns/p50", float64(c.Latency.P50)),
			number("/wall_ns", float64(o.p.WallNS)))
	}
}

func (o *observer) launches() {
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
			"an infinitely fast drive would save that%s, at most %s.", l.Exe, wording.Duration(l.WallNS), l.State, wording.Duration(l.DiskNS), waking, wording.Duration(l.SavingNS)),
			number(at+"/wall_ns", float64(l.WallNS)), number(at+"/disk_ns", float64(l.DiskNS)), number(at+"/upper_saving_ns", float64(l.SavingNS)))
	}
}

func (o *observer) scrubs() {
	for i, s := range o.p.Scrubs[:min(len(o.p.Scrubs), maxObserved)] {
		at := fmt.Sprintf("/scrubs/%d", i)
		o.say("scrub", at, fmt.Sprintf("%s jumps through %s, %s read after each in %s; one in a hundred took %s or more (%s cache).",
			unit.Count(s.Jumps), s.Path, unit.BlockSize(s.PerJump.P50), wording.Duration(s.JumpTime.P50), wording.Duration(s.JumpTime.P99), s.State),
			number(at+"/jumps", float64(s.Jumps)), number(at+"/jump_read_bytes/p50", float64(s.PerJump.P50)),
			number(at+"/jump_time_ns/p50", float64(s.JumpTime.P50)), number(at+"/jump_time_ns/p99", float64(s.JumpTime.P99)))
	}
}
