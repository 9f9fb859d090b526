package course

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
)

// Phases follows the speed of calls and devices.
type Phases struct {
	speeds *speeds
	trend  *measure.Trend
	curves bool // the profile has them, too
}

// NewPhases divides the recording into at most n bins of time for what
// the time was spent on.
func NewPhases(s *survey.Survey, n int, end int64, curves bool) *Phases {
	return &Phases{newSpeeds(s), measure.NewTrend(n, end), curves}
}

// Data adds data moved to or from files that hold data.
func (a *Phases) Data(x *world.Access) {
	if x.Reads {
		a.speeds.read.add(x.Start, x.End, x.Bytes, x.Direct())
	}
	if x.Writes {
		a.speeds.write.add(x.Start, x.End, x.Bytes, x.Direct())
	}
}

// Request adds a request.
func (a *Phases) Request(e *world.Request) {
	if e.Ours {
		a.speeds.request(e)
		return
	}
	a.trend.Foreign[a.trend.At(e.Completed)] += e.Bytes
}

// Label adds a stretch of the time stack.
func (a *Phases) Label(k timeline.Kind, from, to int64) {
	a.trend.Label(timeline.Kind(k.Label()), from, to)
}

// Finish looks for steps in every curve of speed.
func (a *Phases) Finish(p *profile.Profile) {
	p.Phases, p.ChangePoints = []profile.Phase{}, []profile.Step{}
	var curves []profile.Rates
	processors, joined := newProcessors(a.trend, p), 0
	for _, s := range a.speeds.list {
		s.finish()
		c := newChunks(s)
		levels, n := processors.join(c.levels())
		joined += n
		for i := range levels {
			p.Phases = append(p.Phases, levels[i].phase())
			if i > 0 {
				p.ChangePoints = append(p.ChangePoints, a.step(p, &levels[i-1], &levels[i]))
			}
		}
		if len(c.ends) > 0 {
			curves = append(curves, c.profile())
		}
	}
	processors.tell(p, joined)
	alongside(p)
	if a.curves {
		p.Charts = &profile.Charts{Rates: curves}
	}
}
