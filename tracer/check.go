package tracer

import "github.com/iotrace/iotrace/trace"

// Check is one thing a backend needs, and whether it is here. doctor prints
// them; each was tried, not guessed.
type Check struct {
	Name     string `json:"name"`
	OK       bool   `json:"ok"`
	Required bool   `json:"required"` // nothing is recorded without it
	Found    string `json:"found"`
	Remedy   string `json:"remedy,omitempty"` // what to do if it is not OK
}

// NotSeen has one check for each limit of a backend: what it will not show, and by the limit's code what would change
// that.
func NotSeen(limits []trace.Limit, remedy map[trace.LimitCode]string) (checks []Check) {
	for _, l := range limits {
		checks = append(checks, Check{Name: "not seen: " + string(l.Code), Found: l.Text, Remedy: remedy[l.Code]})
	}
	return checks
}
