package text

import (
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// lineNames are names as lines of text show them.
type lineNames struct {
	*schema.Resolver
	errnos bool // the trace's error numbers are this system's
}

func newLineNames(n *schema.Resolver, h trace.Header) lineNames {
	return lineNames{n, h.OS == runtime.GOOS}
}

// errno is the name of an error number, "" if it cannot be known.
func (n lineNames) errno(e int64) string {
	if !n.errnos || e <= 0 || e > 4095 {
		return ""
	}
	return unix.ErrnoName(unix.Errno(e))
}

// appendFile appends the quoted name of a file, its number if the name is not known.
func (n lineNames) appendFile(b []byte, id trace.FileID) []byte {
	if path, ok := n.Path(id); ok {
		return strconv.AppendQuote(b, path)
	}
	return strconv.AppendUint(append(b, '#'), uint64(id), 10)
}

// appendResult appends " = 4096" or " = -2 ENOENT".
func (n lineNames) appendResult(b []byte, result int64) []byte {
	b = strconv.AppendInt(append(b, " = "...), result, 10)
	if name := n.errno(-result); name != "" {
		b = append(append(b, ' '), name...)
	}
	return b
}
