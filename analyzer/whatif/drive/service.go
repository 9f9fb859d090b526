package drive

// service is what a request asks of a drive, apart from its size: what its time
// depends on.
type service uint8

const (
	randomRead service = iota
	sequentialRead
	randomWrite
	sequentialWrite
	flush
	services
)

// direction is 0 for reads and 1 for writes and flushes.
func (k service) direction() int {
	if k < randomWrite {
		return 0
	}
	return 1
}

// likeness says which kinds of requests take about as long, the nearest first.
var likeness = [services][]service{
	randomRead:      {sequentialRead, randomWrite, sequentialWrite},
	sequentialRead:  {randomRead, sequentialWrite, randomWrite},
	randomWrite:     {sequentialWrite, randomRead, sequentialRead},
	sequentialWrite: {randomWrite, sequentialRead, randomRead},
	flush:           {},
}

// alike gives each kind of which nothing is known the latency of the one most like
// it.
func alike(l [services]float64, known [services]bool) [services]float64 {
	for k, others := range likeness {
		for _, o := range others {
			if !known[k] && known[o] {
				l[k] = l[o]
				break
			}
		}
	}
	return l
}
