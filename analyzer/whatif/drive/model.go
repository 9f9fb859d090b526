// Package drive is the model of a drive, a queue of requests: fitted to requests that were recorded, or made from what
// a benchmark measured.
package drive

// Model is a drive as a queue: each request takes a time that depends on what it
// asks for, up to so many at once; then its bytes pass a link one after the other.
type Model struct {
	Latency  [services]float64 // ns
	Rate     [2]float64        // of reads and writes, in bytes per ns; +Inf for a link that is never the limit
	Parallel int               // requests served at once
}

// unlimited is a number of requests at once that is never reached.
const unlimited = 1 << 16

// SetLatency gives all reads and writes the same latency, in ns. Flushes keep theirs.
func (m *Model) SetLatency(ns float64) {
	for k := range flush {
		m.Latency[k] = ns
	}
}

// SetRate gives reads and writes the same rate, in bytes per ns.
func (m *Model) SetRate(rate float64) {
	for d := range m.Rate {
		m.Rate[d] = rate
	}
}

// Scale multiplies all latencies and all rates.
func (m *Model) Scale(latency, rate float64) {
	for k := range m.Latency {
		m.Latency[k] *= latency
	}
	for d := range m.Rate {
		m.Rate[d] *= rate
	}
}

// alone is how long a request takes without company, in ns.
func (m *Model) alone(kind service, bytes int64) float64 {
	return m.Latency[kind] + m.transfer(kind, bytes)
}

// transfer is how long the bytes of a request take on the link, in ns.
func (m *Model) transfer(kind service, bytes int64) float64 {
	return float64(bytes) / m.Rate[kind.direction()]
}
