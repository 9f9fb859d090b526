package analyzer

// density counts events per stretch of time before it is known how long the
// recording is: when it gets longer, the stretches get wider.
type density struct {
	width  int64
	counts [densityBins]uint32
}

const densityBins = 8192

func (d *density) add(at int64) {
	i := max(at, 0) / d.width
	for i >= densityBins {
		d.widen()
		i = max(at, 0) / d.width
	}
	d.counts[i]++
}

func (d *density) widen() {
	for i := range densityBins / 2 {
		d.counts[i] = d.counts[2*i] + d.counts[2*i+1]
	}
	clear(d.counts[densityBins/2:])
	d.width *= 2
}
