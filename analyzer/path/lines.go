package path

import "github.com/iotrace/iotrace/trace"

// Lines says what is known of files beforehand.
type Lines interface {
	// Line is whose question a file carries.
	Line(trace.FileID) Line
}

// Line is what a file is to those who use it.
type Line uint8

// The kinds of lines.
const (
	NoLine Line = iota // data, or names
	Stream             // a pipe, a terminal, an event: a thread that reads it waits to be asked
	Asked              // a socket at which others ask; each has an answer
	Told               // likewise, but no question was seen: answers alone
	Shared             // as Asked, and each thread has its own questions there: a file system in user space
	Asks               // a socket at which the program asks others
)

func (l Line) answers() bool { return l == Asked || l == Told || l == Shared }

// line is what tells questions and their answers from others.
type line struct {
	file   trace.FileID
	thread uint32 // where each has its own
}
