// Package clock relates the clocks of a machine to each other.
package clock

import "time"

// attempts are how often the clocks are compared. A thread that loses its processor between two reads spoils one.
const attempts = 10

// Zero is the time on the wall at which another clock stood at 0. It is as exact as two reads of clocks are quick,
// however busy the machine is.
func Zero(read func() int64) time.Time {
	var zero time.Time
	for i, narrowest := 0, int64(0); i < attempts; i++ {
		before := read()
		wall := time.Now()
		apart := read() - before
		if i == 0 || apart < narrowest {
			zero, narrowest = wall.Add(-time.Duration(before+apart/2)), apart
		}
	}
	return zero.Round(0)
}
