package generator

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/testenv"
)

const straceChild = "IOTRACE_TEST_PATTERN"

// TestStraceChild is the traced process: it runs the pattern it is given.
func TestStraceChild(t *testing.T) {
	text := os.Getenv(straceChild)
	if text == "" {
		t.Skip("runs under strace only")
	}
	var p baseline.Pattern
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	r := runBench(t, Config{Patterns: []baseline.Pattern{p}, Dirs: []string{os.Getenv(straceChild + "_DIR")},
		Threads: os.Getenv(straceChild+"_RING") == ""})
	for _, s := range r.Patterns[0].Places[0].Steps {
		if s.Skipped != "" {
			t.Fatal(s.Skipped)
		}
	}
}

// seenCall is one call on a data file.
type seenCall struct {
	name   string
	file   string
	offset int64 // -1 for a call at the file position
	size   int64
	result int64
	line   int // of the log
	text   string
}

// opened is one open of a data file with the calls on that descriptor.
type opened struct {
	file  string
	flags string
	calls []seenCall
	syncs int
}

var (
	callLine = regexp.MustCompile(`^(\d+) +(\w+)\((.*)\) += (-?\d+)`)
	firstFD  = regexp.MustCompile(`^(\d+)<([^>]*)>`)
)

// strace runs one round of a pattern under strace and returns the opens of data
// files with what was done there, in order. The opens that prepare files and
// those that drop pages are left out.
func strace(t *testing.T, p baseline.Pattern, ring bool) (all []*opened, other []string) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		testenv.Missing(t, "strace is not installed")
	}
	pattern, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("strace", "-f", "-y", "-qq", "-s", "0", "-o", log, "-e",
		"trace=openat,read,write,pread64,pwrite64,preadv2,pwritev2,fsync,fdatasync,"+
			"copy_file_range,sendfile,ioctl,fadvise64,close,io_uring_setup,io_uring_enter",
		self, "-test.run=^TestStraceChild$")
	c.Env = append(os.Environ(), straceChild+"="+string(pattern), straceChild+"_DIR="+dir)
	if ring {
		c.Env = append(c.Env, straceChild+"_RING=1")
	}
	if out, err := c.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "PTRACE") || strings.Contains(string(out), "ptrace") {
			testenv.Missing(t, "strace may not trace here: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return parseStrace(t, log)
}

func parseStrace(t *testing.T, log string) (all []*opened, other []string) {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unfinished := map[string]string{}
	open := map[int]*opened{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for number := 0; lines.Scan(); number++ {
		line := lines.Text()
		m := callLine.FindStringSubmatch(wholeLine(unfinished, &line))
		if m == nil {
			continue
		}
		name, args := m[2], m[3]
		result, _ := strconv.ParseInt(m[4], 10, 64)
		switch name {
		case "openat":
			path := strings.Split(args, `"`)
			if len(path) > 2 && storage.DataNames.MatchString(filepath.Base(path[1])) && result >= 0 {
				o := &opened{file: filepath.Base(path[1]), flags: strings.TrimPrefix(path[2], ", ")}
				open[int(result)] = o
				all = append(all, o)
			}
			continue
		case "io_uring_setup", "io_uring_enter":
			other = append(other, line)
			continue
		}
		fd := firstFD.FindStringSubmatch(args)
		if fd == nil {
			continue
		}
		n, _ := strconv.Atoi(fd[1])
		o := open[n]
		if o == nil || filepath.Base(fd[2]) != o.file {
			continue
		}
		switch name {
		case "close":
			delete(open, n)
		case "fsync", "fdatasync":
			o.syncs++
		case "fadvise64":
		default:
			c := newSeenCall(name, o.file, args, result, line)
			c.line = number
			o.calls = append(o.calls, c)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all, other
}

// wholeLine makes a line of one whose call was interrupted by another thread's; until the rest comes it is nothing.
func wholeLine(unfinished map[string]string, line *string) string {
	pid, rest, _ := strings.Cut(*line, " ")
	if before, ok := strings.CutSuffix(*line, " <unfinished ...>"); ok {
		unfinished[pid] = before
		return ""
	}
	if _, after, ok := strings.Cut(strings.TrimLeft(rest, " "), " resumed>"); ok {
		*line = unfinished[pid] + after
	}
	return *line
}

func newSeenCall(name, file, args string, result int64, text string) seenCall {
	c := seenCall{name: name, file: file, offset: -1, result: result, text: text}
	fields := strings.Split(args, ", ")
	number := func(i int) int64 {
		if i >= len(fields) {
			return -1
		}
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	switch name {
	case "read", "write":
		c.size = number(2)
	case "pread64", "pwrite64":
		c.size, c.offset = number(2), number(3)
	case "preadv2", "pwritev2":
		c.size = result
		if i := slices.IndexFunc(fields, func(f string) bool { return strings.HasSuffix(f, "]") }); i >= 0 {
			c.offset = number(i + 2)
		}
	}
	return c
}

// straced is a pattern of the catalogue, made small, in one round.
func straced(t *testing.T, name string, size int64) baseline.Pattern {
	t.Helper()
	found, err := baseline.Lookup(name)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s names %d patterns (%v)", name, len(found), err)
	}
	p := found[0].Scaled(baseline.Scale{Size: size, Time: 100 * time.Millisecond, Runs: 1})
	p.Discard, p.DropCaches, p.Pause = 0, false, 0
	return p
}

// measured are the opens of the measured steps: those after the file was
// prepared, less the ones that only drop pages or sync.
func measured(all []*opened, prepared bool) []*opened {
	var kept []*opened
	for i, o := range all {
		if (i > 0 || !prepared) && len(o.calls) > 0 {
			kept = append(kept, o)
		}
	}
	return kept
}
