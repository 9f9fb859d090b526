package kdebug

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/tracer"
)

// nobody is a process that does not exist: recording it takes everything that
// recording takes, and records nothing.
const nobody = 1<<31 - 1

// probe sets a recording up and tears it down.
func probe(s *Source, release string) []tracer.Check {
	checks := []tracer.Check{{Name: "kernel", OK: true, Found: "Darwin " + release + ", " + s.model.String()},
		wholePaths(release)}
	c := tracer.Check{Name: "trace buffer", Required: true, Remedy: "see above"}
	err := s.Attach(tracer.Scope{Launch: nobody})
	if err != nil {
		c.Found = err.Error()
		return append(checks, c)
	}
	c.OK = true
	c.Found = fmt.Sprintf("%d MiB, and the recorder's own calls arrive in it", int64(s.session.buffer)*RecordSize>>20)
	if err := s.Close(); err != nil {
		c.OK, c.Found = false, err.Error()
	}
	return append(append(checks, c), tracer.NotSeen(append(s.Limits(), unseen()...), remedies)...)
}

// wholePaths says whether the kernel logs paths in full: since Darwin 24.4,
// which is macOS 15.4.
func wholePaths(release string) tracer.Check {
	c := tracer.Check{Name: "whole paths", OK: true, Found: "paths of any length are logged"}
	major, minor := version(release)
	if major < 24 || major == 24 && minor < 4 {
		c.OK, c.Found = false, "of a path longer than 184 bytes only the end is logged"
		c.Remedy = "macOS 15.4 and later log it in full"
	}
	return c
}

func version(release string) (major, minor int) {
	parts := strings.SplitN(release, ".", 3)
	major, _ = strconv.Atoi(parts[0])
	if len(parts) > 1 {
		minor, _ = strconv.Atoi(parts[1])
	}
	return major, minor
}
