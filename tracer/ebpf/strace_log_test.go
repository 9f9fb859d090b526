//go:build linux

package ebpf

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// straceLog reads what `strace -f -y -xx -o LOG` wrote: in hexadecimal strings
// no byte of a path can be taken for syntax.
type straceLog struct {
	calls    []straceCall
	pending  map[string]string // thread → unfinished line
	cwd      map[string]string // thread → working directory
	startDir string
}

type straceCall struct {
	name   string
	args   []string
	result string // number, or name of the error
	opened string // path of the descriptor that was returned
	cwd    string
}

var (
	straceLine   = regexp.MustCompile(`^(\d+) +(.*)$`)
	straceResult = regexp.MustCompile(
		`^(.*\)) += (-?\d+|0x[0-9a-f]+|\?)(<[^>]*>)?(\(deleted\))?(?: ([A-Z]+[A-Z0-9]*))?.*$`)
	straceFD   = regexp.MustCompile(`^(-?\d+|AT_FDCWD)<([^>]*)>`)
	straceFork = regexp.MustCompile(`^(clone|clone3|fork|vfork)$`)
)

func readStrace(t testing.TB, name, startDir string) []straceCall {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := straceLog{pending: map[string]string{}, cwd: map[string]string{}, startDir: startDir}
	for r := bufio.NewReaderSize(f, 1<<20); ; {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			return l.calls
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := l.line(strings.TrimSuffix(line, "\n")); err != nil {
			t.Fatal(err)
		}
	}
}

func (l *straceLog) line(line string) error {
	m := straceLine.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("strace line without a thread: %q", line)
	}
	tid, text := m[1], m[2]
	switch {
	case strings.HasPrefix(text, "+++") || strings.HasPrefix(text, "---"):
		return nil
	case strings.HasSuffix(text, "<unfinished ...>"):
		l.pending[tid] = strings.TrimSuffix(text, "<unfinished ...>")
		return nil
	case strings.HasPrefix(text, "<... "):
		_, rest, ok := strings.Cut(text, "resumed>")
		if !ok {
			return fmt.Errorf("strace line that cannot be resumed: %q", line)
		}
		text = l.pending[tid] + rest
		delete(l.pending, tid)
	}
	return l.call(tid, text)
}

func (l *straceLog) call(tid, text string) error {
	m := straceResult.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("strace line without a result: %q", text)
	}
	name, args, ok := strings.Cut(m[1], "(")
	if !ok {
		return fmt.Errorf("strace line without arguments: %q", text)
	}
	c := straceCall{name: name, args: splitArguments(strings.TrimSuffix(args, ")")), result: m[2], cwd: l.dir(tid)}
	if m[5] != "" {
		c.result = m[5]
	}
	c.opened = unhex(strings.Trim(m[3], "<>"))
	switch {
	case straceFork.MatchString(name):
		l.cwd[m[2]] = c.cwd
	case name == "chdir" && m[2] == "0":
		l.cwd[tid] = join(c.cwd, unhex(c.args[0]))
	case name == "fchdir" && m[2] == "0":
		l.cwd[tid] = descriptor(c.args[0])
	}
	l.calls = append(l.calls, c)
	return nil
}

func (l *straceLog) dir(tid string) string {
	if dir, ok := l.cwd[tid]; ok {
		return dir
	}
	return l.startDir
}

// splitArguments splits at commas outside of brackets.
func splitArguments(s string) []string {
	var args []string
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(args, strings.TrimSpace(s[from:]))
}

// unhex undoes -xx, within quotes or without them.
func unhex(s string) string {
	s = strings.Trim(s, `"`)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], `\x`) {
			n, _ := strconv.ParseUint(s[i+2:i+4], 16, 8)
			b.WriteByte(byte(n))
			i += 3
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// descriptor is the path of a descriptor argument, "" if it is none.
func descriptor(arg string) string {
	if m := straceFD.FindStringSubmatch(arg); m != nil {
		return unhex(m[2])
	}
	return ""
}

func join(dir, name string) string {
	if strings.HasPrefix(name, "/") {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// paths are the files a call names, in the order of its arguments: descriptors,
// and names with the directory they are relative to.
func (c *straceCall) paths() []string {
	var list []string
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		dir, isFD := c.cwd, straceFD.MatchString(arg)
		if _, name, ok := strings.Cut(strings.TrimSuffix(arg, "}"), "sun_path="); ok && !isFD {
			list = append(list, trace.UnixAddress(unhex(name)))
			continue
		}
		if isFD {
			dir = descriptor(arg)
			if i+1 == len(c.args) || !takesName(c.name) || !strings.HasPrefix(c.args[i+1], `"`) {
				list = append(list, dir)
				continue
			}
			i++
			arg = c.args[i]
		} else if !strings.HasPrefix(arg, `"`) || !namesFiles(c.name) {
			continue
		}
		if name := unhex(arg); name == "" && isFD {
			list = append(list, dir)
		} else {
			list = append(list, join(dir, name))
		}
	}
	return list
}

// takesName tells calls that take a name relative to a descriptor.
func takesName(call string) bool {
	switch call {
	case "newfstatat", "statx", "openat", "openat2", "faccessat", "faccessat2", "unlinkat", "renameat",
		"renameat2", "mkdirat",
		"linkat", "symlinkat", "readlinkat", "fchmodat", "fchownat", "utimensat", "futimesat":
		return true
	}
	return false
}

// namesFiles tells calls whose strings are names of files.
func namesFiles(call string) bool {
	switch call {
	case "read", "write", "pread64", "pwrite64", "readv", "writev", "execve", "getdents64":
		return false
	}
	return true
}
