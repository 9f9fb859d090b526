package course

import (
	"cmp"
	"math"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/internal/sorting"
)

// What is listed of the parts of the time of a step.
const (
	maxParts     = 5
	worthListing = 0.1 // of the difference
)

// perMB is the unit in which the time of the same bytes is told.
const perMB = 1e6

// step is the step from one level to the next: what the time of the same bytes went to before and after it, and what
// else was different.
func (a *Phases) step(p *profile.Profile, before, after *level) profile.Step {
	s := between(before, after)
	s.BeforeNS = measure.Whole(perMB * before.perByte(before.lasted()))
	s.AfterNS = measure.Whole(perMB * after.perByte(after.lasted()))
	for l := range timeline.NumLabels {
		label := timeline.Label(l)
		part := profile.StepPart{Label: label.String(), BeforeNS: a.perMB(before, label), AfterNS: a.perMB(after, label)}
		if math.Abs(float64(part.AfterNS-part.BeforeNS)) >= worthListing*math.Abs(float64(s.AfterNS-s.BeforeNS)) {
			part.Text = textOf(p, part.Label)
			s.Parts = append(s.Parts, part)
		}
	}
	sorting.Stably(s.Parts, func(x, y profile.StepPart) int {
		sign := cmp.Compare(s.AfterNS, s.BeforeNS)
		return -sign * cmp.Compare(x.AfterNS-x.BeforeNS, y.AfterNS-y.BeforeNS)
	})
	s.Parts = s.Parts[:min(len(s.Parts), maxParts)]
	s.OthersBefore = a.trend.ForeignRate(before.begin.at, before.end.at)
	s.OthersAfter = a.trend.ForeignRate(after.begin.at, after.end.at)
	s.SizeBefore, s.SizeAfter = before.size(), after.size()
	s.DirectBefore, s.DirectAfter = before.directShare(), after.directShare()
	s.Limit = lowered(p, &s)
	return s
}

// perMB is how long a label held for each megabyte of a level.
func (a *Phases) perMB(l *level, label timeline.Label) int64 {
	return measure.Whole(perMB * l.perByte(a.trend.Share(l.begin.at, l.end.at, label)*l.lasted()))
}

// textOf is what a label is called.
func textOf(p *profile.Profile, label string) string {
	for i := range p.TimeStack.Slices {
		if s := &p.TimeStack.Slices[i]; s.Label == label {
			return s.Text
		}
	}
	return label
}

// alongside takes over for the calls what is known of a device whose rate changed at about the same time.
func alongside(p *profile.Profile) {
	for i := range p.ChangePoints {
		s := &p.ChangePoints[i]
		near := int64(0)
		for _, f := range p.Phases {
			if f.Series == s.Series && f.Device == s.Device && (f.FromBytes == s.AtBytes || f.ToBytes == s.AtBytes) {
				near += (f.ToNS - f.FromNS) / 20
			}
		}
		for _, d := range p.ChangePoints {
			if s.Device == "" && d.Device != "" && (d.Ratio < 1) == (s.Ratio < 1) && max(d.AtNS-s.AtNS, s.AtNS-d.AtNS) <= near {
				s.DeviceToo = s.DeviceToo || d.DeviceToo
			}
		}
	}
}
