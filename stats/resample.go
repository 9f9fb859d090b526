package stats

import "math/rand/v2"

// Resampling says how a bootstrap draws. The zero value
// is ready to use. Equal seeds give equal results on every system.
type Resampling struct {
	N     int     // resamples; 0 means 2000
	Level float64 // coverage of intervals; 0 means 0.95
	Seed  uint64
}

func (r Resampling) count(deflt int) int {
	if r.N <= 0 {
		return deflt
	}
	return r.N
}

func (r Resampling) level() float64 {
	if !(r.Level > 0 && r.Level < 1) {
		return 0.95
	}
	return r.Level
}

func (r Resampling) source() *rand.Rand { return rand.New(rand.NewPCG(r.Seed, 0x69_6f_74_72_61_63_65)) }
