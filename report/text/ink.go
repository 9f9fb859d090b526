package text

// ink dresses text with escape sequences, or leaves it alone.
type ink bool

func (i ink) strong(s string) string { return i.wrap("\x1b[1m", s) }
func (i ink) faint(s string) string  { return i.wrap("\x1b[2m", s) }
func (i ink) alarm(s string) string  { return i.wrap("\x1b[1;31m", s) }

func (i ink) wrap(sequence, s string) string {
	if !i || s == "" {
		return s
	}
	return sequence + s + "\x1b[0m"
}
