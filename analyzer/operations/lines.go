package operations

import (
	"github.com/iotrace/iotrace/analyzer/path"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// lines knows who asks and who answers, from the first reading.
type lines struct{ *survey.Survey }

// fuse is where a file system in user space is asked.
const fuse = "/dev/fuse"

// Line is what a file is to those who use it.
func (s lines) Line(id trace.FileID) path.Line { return lineOf(s.Files.File(id)) }

// serves reports whether a thread answers somebody.
func (s lines) serves(tid uint32) bool {
	l := lineOf(s.Spoke(tid))
	return l == path.Asked || l == path.Told || l == path.Shared
}

func lineOf(f *world.File) path.Line {
	switch {
	case f == nil || f.Other:
	case f.Kind == trace.FileSocket && f.Side == world.Asks && !f.Accepted:
		return path.Asks
	case f.Kind == trace.FileSocket && f.HeardAt > 0:
		return path.Asked
	case f.Kind == trace.FileSocket && f.Side == world.Answers:
		return path.Told
	case f.Kind == trace.FileChar && f.Path == fuse:
		return path.Shared
	case f.Stream() || f.Kind == trace.FileChar || f.Kind == trace.FileAnon:
		return path.Stream
	}
	return path.NoLine
}
