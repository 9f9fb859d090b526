package baseline

import "time"

// Job is something that is done several times: a step in a place, the filling of a file.
type Job struct {
	Key   string
	Times int           // that are still to be done
	Each  time.Duration // estimated
	Known time.Duration // the part of Each that is certain: limits of time, pauses
	Bytes int64         // moved each time; 0 where that is not known
}

// Forecast is how long a run still takes.
type Forecast struct {
	jobs  []*job
	byKey map[string]*job
	// Of the estimates that have been put to the test: what they said, and what was measured.
	estimated, measured time.Duration

	announced time.Duration
	spent     time.Duration
	told      bool
}

type job struct {
	Job
	took []time.Duration
}

// NewForecast is the forecast of a run of jobs. Those of one key are one.
func NewForecast(jobs ...Job) *Forecast {
	f := &Forecast{byKey: map[string]*job{}}
	for _, j := range jobs {
		if known := f.byKey[j.Key]; known != nil {
			known.Times += j.Times
			continue
		}
		all := &job{Job: j}
		f.jobs, f.byKey[j.Key] = append(f.jobs, all), all
	}
	f.announced = f.Left(UnderWay{})
	return f
}

// Announced is how long the run takes in all, by what was known at its begin.
func (f *Forecast) Announced() time.Duration { return f.announced }

// Done books a job that took some time.
func (f *Forecast) Done(key string, took time.Duration) {
	f.spent += took
	j := f.byKey[key]
	if j == nil {
		return
	}
	j.Times = max(j.Times-1, 0)
	if len(j.took) == 0 && j.Each > j.Known {
		f.estimated += j.Each - j.Known
		f.measured += max(took-j.Known, 0)
	}
	j.took = append(j.took, took)
}

// Drop removes what is not to be done any more.
func (f *Forecast) Drop(key string) {
	if j := f.byKey[key]; j != nil {
		j.Times = 0
	}
}

// Bounds of the correction of what has not been measured yet by what has.
const leastFactor, mostFactor = 0.1, 20

// expected is how long a job takes next: the mean of what it took so far, else its estimate, as wrong as others were.
func (f *Forecast) expected(j *job, factor float64) time.Duration {
	if n := len(j.took); n > 0 {
		var sum time.Duration
		for _, d := range j.took {
			sum += d
		}
		return sum / time.Duration(n)
	}
	return j.Known + scale(j.Each-j.Known, factor)
}

// factor is what the estimates that have not been tested have to be multiplied with, by those that have. The job under
// way counts as far as it says how long it takes.
func (f *Forecast) factor(now UnderWay) float64 {
	estimated, measured := f.estimated, f.measured
	if j := f.byKey[now.Key]; j != nil && len(j.took) == 0 && j.Each > j.Known {
		if all, ok := j.projected(now); ok {
			estimated, measured = estimated+j.Each-j.Known, measured+all
		}
	}
	if estimated <= 0 {
		return 1
	}
	return min(max(float64(measured)/float64(estimated), leastFactor), mostFactor)
}

// UnderWay is the job under way.
type UnderWay struct {
	Key   string // "": none
	Since time.Duration
	Moved int64
}

// A job says how long it takes by how far it is, once it has gone on for a while.
const (
	tellingTime  = 200 * time.Millisecond
	tellingShare = 0.02
)

// projected is how long the job under way takes in all, by how far it is.
func (j *job) projected(now UnderWay) (all time.Duration, ok bool) {
	if j.Bytes <= 0 || now.Since < tellingTime {
		return 0, false
	}
	share := float64(now.Moved) / float64(j.Bytes)
	return scale(now.Since, 1/min(max(share, tellingShare), 1)), share >= tellingShare
}

// rest is how long the job under way still takes. One that takes longer than expected, and does not say how far it
// is, will not be done in a moment: a quarter of its time so far is assumed.
func (f *Forecast) rest(now UnderWay, factor float64) time.Duration {
	j := f.byKey[now.Key]
	if j == nil {
		return now.Since / 4
	}
	left := f.expected(j, factor) - now.Since
	if all, ok := j.projected(now); ok && (len(j.took) == 0 || left <= 0) {
		left = all - now.Since
	}
	return max(left, now.Since/4)
}

// Left is how long all that is not done takes.
func (f *Forecast) Left(now UnderWay) (left time.Duration) {
	factor := f.factor(now)
	for _, j := range f.jobs {
		n := j.Times
		if j.Key == now.Key && now.Key != "" {
			n--
		}
		if n > 0 {
			left += scale(f.expected(j, factor), float64(n))
		}
	}
	if now.Key != "" {
		left += f.rest(now, factor)
	}
	return left
}

// tooLong is how many times as long as announced a run takes before that is told.
const tooLong = 2

// Overrun reports, once, that the run takes more than twice what was announced, and how long it takes in all.
func (f *Forecast) Overrun(now UnderWay) (all time.Duration, over bool) {
	all = f.spent + now.Since + f.Left(now)
	// A slow moment at the begin proves nothing.
	used := f.spent + now.Since
	known := used >= f.announced || used >= f.announced/2 && all > 3*f.announced
	if f.told || !known || f.announced <= 0 || all <= tooLong*f.announced || all-f.announced < leastOverrun {
		return all, false
	}
	f.told = true
	return all, true
}

// leastOverrun is worth a word.
const leastOverrun = 5 * time.Second
