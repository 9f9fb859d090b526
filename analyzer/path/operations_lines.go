package path

import (
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// fileLines knows who asks and who answers, from the first reading.
type fileLines struct{ *survey.Survey }

// fuse is where a file system in user space is asked.
const fuse = "/dev/fuse"

// Line is what a file is to those who use it.
func (s fileLines) Line(id trace.FileID) Line { return lineOf(s.Files.File(id)) }

// serves reports whether a thread answers somebody.
func (s fileLines) serves(tid uint32) bool {
	l := lineOf(s.Spoke(tid))
	return l == Asked || l == Told || l == Shared
}

func lineOf(f *world.File) Line {
	switch {
	case f == nil || f.Other:
	case f.Kind == trace.FileSocket && f.Side == world.Asks && !f.Accepted:
		return Asks
	case f.Kind == trace.FileSocket && f.HeardAt > 0:
		return Asked
	case f.Kind == trace.FileSocket && f.Side == world.Answers:
		return Told
	case f.Kind == trace.FileChar && f.Path == fuse:
		return Shared
	case f.Stream() || f.Kind == trace.FileChar || f.Kind == trace.FileAnon:
		return Stream
	}
	return NoLine
}
