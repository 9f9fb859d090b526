package baseline

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// drive is a simulated device: each operation takes a time and moves bytes at a rate, at most so many at once. From a
// moment on it is slower by a factor.
type drive struct {
	latency time.Duration
	rate    float64
	syncs   time.Duration // after a write through memory
	slowAt  time.Duration
	slow    float64
	now     time.Duration
}

// run is a step on the drive: what a trial would see.
func (d *drive) run(s Step, span int64) Trial {
	if s.Block == 0 { // one call that moves all
		s.Block = 1 << 20
	}
	full, timed := s.Moves(span)
	each := float64(d.latency)/float64(s.Nominal()) + float64(s.Block)/d.rate*1e9
	if d.slowAt > 0 && d.now >= d.slowAt {
		each *= d.slow
	}
	active := timed
	if full > 0 {
		active = time.Duration(each * float64((full+s.Block-1)/s.Block))
		if s.Limit.Time > 0 {
			active = min(active, s.Limit.Time)
		}
	}
	t := Trial{Active: active, Wall: active + 3*time.Millisecond, Bytes: max(int64(float64(active)/each)*s.Block, s.Block)}
	if s.Files != nil {
		t.Active, t.Bytes = 0, 0
		for range s.Files.Rounds {
			for _, n := range s.Files.Sizes {
				ns := float64(d.latency) + float64(n)/d.rate*1e9
				t.Files = append(t.Files, FileTime{Bytes: n, NS: int64(ns)})
				t.Active += time.Duration(ns)
				t.Bytes += n
			}
		}
		t.Wall = t.Active
	}
	if s.Cache == Buffered && s.Writes() {
		t.Durable = t.Active + scale(d.syncs, float64(t.Bytes)/(1<<30))
		t.Wall += t.Durable - t.Active
	}
	d.now += t.Wall + s.Idle
	return t
}

// forecastOf tries the steps of patterns on a drive, and makes the forecast of the run.
func forecastOf(d *drive, patterns []Pattern) *Forecast {
	tried := map[StepKind]Trial{}
	var jobs []Job
	for _, p := range patterns {
		for _, s := range p.Steps {
			span := s.Span(1 << 36)
			bytes, timed := s.Moves(span)
			j := Job{Key: p.Name + s.Name, Times: p.Rounds(), Each: timed + s.Idle, Known: timed + s.Idle, Bytes: bytes}
			if NeedsTrial(s, span) {
				k := StepKindOf(s, "")
				if _, ok := tried[k]; !ok {
					tried[k] = d.run(TrialStep(s, 1<<28), 1<<28)
				}
				j.Each, j.Known = tried[k].Lasts(s, span), s.Idle
			}
			jobs = append(jobs, j)
		}
	}
	d.now = 0
	return NewForecast(jobs...)
}

// Of every suite the announced time is within a factor of two of what a steady drive takes, slow or fast: a step of
// ATTO with blocks of 512 B takes 400 times as long there as at 500 MB/s.
func TestAnnouncedTimes(t *testing.T) {
	for _, d := range []drive{{latency: 3 * time.Millisecond, rate: 100e6, syncs: 20 * time.Second},
		{latency: 20 * time.Microsecond, rate: 3e9, syncs: time.Second}} {
		for _, suite := range []string{"cdm@8", "kdm", "adm", "bmdst-like", "stibium", "at/burst-*",
			"at/sustained-*", "at/mixed-*", "atto", "dd", "fio", "copy"} {
			t.Run(fmt.Sprint(suite, d.rate), func(t *testing.T) {
				patterns, err := Lookup(suite)
				if err != nil {
					t.Fatal(err)
				}
				device := d
				f := forecastOf(&device, patterns)
				for _, p := range patterns {
					for range p.Rounds() {
						for _, s := range p.Steps {
							begun := device.now
							r := device.run(s, s.Span(1<<36))
							if s.Burst != nil {
								device.now += scale(r.Active, 1/s.Burst.Duty-1)
							}
							f.Done(p.Name+s.Name, device.now-begun)
						}
					}
				}
				if ratio := device.now.Seconds() / f.Announced().Seconds(); ratio > 2 || ratio < 0.5 {
					t.Errorf("announced %v, took %v", f.Announced(), device.now)
				}
				if left := f.Left(UnderWay{}); left != 0 {
					t.Errorf("%v left at the end", left)
				}
			})
		}
	}
}

// What is left is corrected by what was measured, and never nothing before the end.
func TestLeftIsCorrected(t *testing.T) {
	patterns, err := Lookup("atto")
	if err != nil {
		t.Fatal(err)
	}
	d := &drive{latency: 3 * time.Millisecond, rate: 100e6, slow: 5}
	f := forecastOf(d, patterns)
	d.slowAt = time.Nanosecond
	steps := patterns[0].Steps
	var ends []time.Duration
	trial := *d
	for i, s := range steps {
		begun := d.now
		d.run(s, s.FileSize)
		took := d.now - begun
		for _, share := range []float64{0.01, 0.3, 0.9} {
			now := UnderWay{Key: patterns[0].Name + s.Name, Since: scale(took, share), Moved: int64(share * float64(s.FileSize))}
			if left := f.Left(now); left <= 0 {
				t.Errorf("step %d, %v of it: %v left", i, share, left)
			}
		}
		f.Done(patterns[0].Name+s.Name, took)
		ends = append(ends, d.now)
	}
	// After the second step the rest is known within a factor of two, though all of it was estimated from a faster drive.
	f = forecastOf(&drive{latency: d.latency, rate: d.rate}, patterns)
	d = &trial
	for i, s := range steps {
		begun := d.now
		d.run(s, s.FileSize)
		f.Done(patterns[0].Name+s.Name, d.now-begun)
		if rest := ends[len(ends)-1] - ends[i]; i >= 1 && i < len(steps)-1 {
			if left := f.Left(UnderWay{}); left > 2*rest || rest > 2*left {
				t.Errorf("after step %d: %v left, said %v", i, rest, left)
			}
		}
	}
}

// A run that takes more than twice as long as announced says so, once, long before its end; one that does not is
// silent.
func TestOverrun(t *testing.T) {
	patterns, err := Lookup("atto")
	if err != nil {
		t.Fatal(err)
	}
	for _, slow := range []float64{1.5, 6} {
		f := forecastOf(&drive{latency: 3 * time.Millisecond, rate: 100e6}, patterns)
		d := &drive{latency: 3 * time.Millisecond, rate: 100e6, slow: slow, slowAt: time.Nanosecond}
		told := 0
		var at, said time.Duration
		for _, s := range patterns[0].Steps {
			begun := d.now
			before := *d
			d.run(s, s.FileSize)
			took := d.now - begun
			for share := 0.1; share < 1; share += 0.1 {
				now := UnderWay{patterns[0].Name + s.Name, scale(took, share), int64(share * float64(s.FileSize))}
				if all, over := f.Overrun(now); over {
					told++
					at, said = before.now+now.Since, all
				}
			}
			f.Done(patterns[0].Name+s.Name, took)
		}
		if want := slow > 2; (told == 1) != want || told > 1 {
			t.Errorf("%v times slower: told %d times", slow, told)
		}
		if told > 0 && (at > d.now/2 || said < d.now/2 || said > 2*d.now) {
			t.Errorf("told after %v of %v, that it takes %v", at, d.now, said)
		}
	}
}

// Whatever the timetable and the budget, what is cut lasts no longer, and one that fits is left alone.
func TestWithinBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := Timetable{Once: time.Duration(rng.Int64N(int64(20 * time.Second)))}
		for range 1 + rng.IntN(5) {
			each := time.Duration(rng.Int64N(int64(30 * time.Second)))
			p.Pieces = append(p.Pieces, Piece{Each: each, Idle: each / time.Duration(1+rng.IntN(4)), Runs: 1 + rng.IntN(7),
				Extra: rng.IntN(2), Whole: rng.IntN(4) == 0, Duty: float64(rng.IntN(3)) / 2})
		}
		budget := time.Duration(rng.Int64N(int64(2 * time.Minute)))
		c, err := p.Within(budget)
		if err != nil {
			if shortest := p.Lasts(Cut{1, shortestStep}); shortest <= budget {
				t.Fatalf("%v fits into %v: %v", shortest, budget, err)
			}
			continue
		}
		if p.Lasts(c) > budget {
			t.Fatalf("%+v lasts %v, longer than %v", c, p.Lasts(c), budget)
		}
		whole := Cut{Runs: p.runs()}
		if (p.Lasts(whole) <= budget) != (c == whole) {
			t.Fatalf("%v in %v: %+v", p.Lasts(whole), budget, c)
		}
	}
}

// A pattern that is cut is valid, and what ended after one pass over its file still does.
func TestCutPatterns(t *testing.T) {
	for _, p := range Catalogue() {
		c := p.Cut(2, 700*time.Millisecond)
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
		if c.Runs > 2 {
			t.Errorf("%s: %d runs", p.Name, c.Runs)
		}
		for i, s := range c.Steps {
			span := s.Span(1 << 36)
			before, _ := p.Steps[i].Moves(span)
			after, _ := s.Moves(span)
			whole := s.Op == Copy || s.Files != nil
			if !whole && (s.Limit.Time > 700*time.Millisecond || s.Limit.Time == 0 || s.FileSize > 0 && before != after) {
				t.Errorf("%s %s: %+v moves %d bytes, not %d", p.Name, s.Name, s.Limit, after, before)
			}
		}
	}
}

// What is left is the sum of what remains: as long as every job takes what was estimated, the time spent and the time
// left add up to what was announced, between jobs and in the midst of one.
func TestLeftIsTheSumOfWhatRemains(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		var jobs []Job
		var order []int
		for i := range 1 + rnd.IntN(6) {
			j := Job{Key: fmt.Sprint(i), Times: 1 + rnd.IntN(4), Each: time.Duration(1+rnd.IntN(1000)) * time.Millisecond}
			if rnd.IntN(2) == 0 {
				j.Known = j.Each
			}
			jobs = append(jobs, j)
			for range j.Times {
				order = append(order, i)
			}
		}
		rnd.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		f := NewForecast(jobs...)
		spent := time.Duration(0)
		sums := func(now UnderWay) {
			t.Helper()
			if all := spent + now.Since + f.Left(now); max(all-f.Announced(), f.Announced()-all) > time.Microsecond {
				t.Errorf("spent and left are %v, announced were %v (%+v of %+v)", all, f.Announced(), now, jobs)
			}
		}
		for _, i := range order {
			sums(UnderWay{})
			sums(UnderWay{Key: jobs[i].Key, Since: jobs[i].Each / 2})
			f.Done(jobs[i].Key, jobs[i].Each)
			spent += jobs[i].Each
		}
		sums(UnderWay{})
		if f.Left(UnderWay{}) != 0 {
			t.Errorf("%v are left at the end", f.Left(UnderWay{}))
		}
	}
}

// What is dropped does not count as left.
func TestDroppedIsNotLeft(t *testing.T) {
	f := NewForecast(Job{Key: "a", Times: 3, Each: time.Second}, Job{Key: "b", Times: 2, Each: time.Minute})
	f.Drop("b")
	if left := f.Left(UnderWay{}); left != 3*time.Second {
		t.Errorf("%v are left", left)
	}
}
