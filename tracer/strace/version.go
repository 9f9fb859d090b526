//go:build linux

package strace

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"

	"github.com/iotrace/iotrace/tracer"
)

// version is that of strace.
type version struct{ major, minor int }

func (v version) atLeast(major, minor int) bool {
	return v.major > major || v.major == major && v.minor >= minor
}

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

var versionLine = regexp.MustCompile(`version (\d+)\.(\d+)`)

// versionOf asks strace: -V is understood by every version.
func versionOf(program string) (version, error) {
	out, err := exec.Command(program, "-V").Output()
	m := versionLine.FindSubmatch(out)
	if err != nil {
		return version{}, fmt.Errorf("asking %s for its version: %w: %w", program, tracer.ErrUnsupported, err)
	}
	if m == nil {
		return version{}, fmt.Errorf("asking %s for its version: %w: it answered %q", program, tracer.ErrUnsupported,
			out[:min(len(out), 80)])
	}
	major, _ := strconv.Atoi(string(m[1]))
	minor, _ := strconv.Atoi(string(m[2]))
	return version{major, minor}, nil
}
