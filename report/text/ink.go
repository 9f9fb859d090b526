package text

import "github.com/iotrace/iotrace/internal/visible"

// ink dresses text with escape sequences, or leaves it alone.
type ink bool

func (i ink) strong(s string) string { return i.wrap(visible.Strong, s) }
func (i ink) faint(s string) string  { return i.wrap(visible.Faint, s) }
func (i ink) alarm(s string) string  { return i.wrap(visible.Alarm, s) }

func (i ink) wrap(sequence, s string) string {
	if !i || s == "" {
		return s
	}
	return sequence + s + visible.Plain
}
