package visible

// The escape sequences that our own text is dressed with. A Writer lets no others through.
const (
	Strong = "\x1b[1m"
	Faint  = "\x1b[2m"
	Alarm  = "\x1b[1;31m"
	Plain  = "\x1b[0m" // ends each of them
)

// Ink are all of them.
var Ink = []string{Strong, Faint, Alarm, Plain}
