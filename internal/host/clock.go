package host

import "time"

// attempts are how often the clocks are compared. A thread that loses its processor between two reads spoils one.
const attempts = 10

// ClockZero is the time on the wall at which another clock stood at 0. It is as exact as two reads of clocks are quick,
// however busy the machine is.
func ClockZero(read func() int64) time.Time {
	return time.Unix(0, offset(func() int64 { return time.Now().UnixNano() }, read))
}

// offset is what one clock shows when another one shows 0.
func offset(one, other func() int64) (at int64) {
	for i, narrowest := 0, int64(0); i < attempts; i++ {
		before := other()
		now := one()
		apart := other() - before
		if i == 0 || apart < narrowest {
			at, narrowest = now-before-apart/2, apart
		}
	}
	return at
}
