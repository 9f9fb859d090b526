//go:build linux

package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// moving are the calls that take data from their file, as strace -y shows them:
// name, first two files, length asked for, result.
var moving = regexp.MustCompile(
	`\b(read|pread64|copy_file_range|sendfile)\(\d+<([^>]*)>(?:, \d+<([^>]*)>)?.*?(\d+)(?:, 0)?\) += (\d+)$`)

// ask looks in strace how a script takes the data of a from its directory:
// which call a program uses, and with which buffer, differs between its
// versions. A method that is known already has to be that one.
func (w *want) ask(t *testing.T, dir, script string) {
	t.Helper()
	needPrograms(t, "strace")
	log, a := filepath.Join(workDir(t), "log"), filepath.Join(dir, "a")
	run(t, append([]string{"strace", "-f", "-y", "-s", "0", "-o", log, "-e",
		"trace=read,pread64,copy_file_range,sendfile"}, in(dir, script)...)...)
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	moved, asked := map[string]int64{}, map[string]map[int64]int{}
	for _, m := range strings.Split(string(b), "\n") {
		c := moving.FindStringSubmatch(m)
		if c == nil || c[2] != a && (c[1] != "sendfile" || c[3] != a) {
			continue
		}
		length, _ := strconv.ParseInt(c[4], 10, 64) // digits: at most out of range, and no buffer then
		result, err := strconv.ParseInt(c[5], 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		if moved[c[1]] += result; asked[c[1]] == nil {
			asked[c[1]] = map[int64]int{}
		}
		asked[c[1]][length]++
	}
	call := ""
	for name, bytes := range moved {
		if call == "" || bytes > moved[call] {
			call = name
		}
	}
	method := map[string]string{"read": "read_write", "pread64": "pread_pwrite", "copy_file_range": "copy_file_range",
		"sendfile": "sendfile"}[call]
	if moved[call] == 0 || w.method != "" && method != w.method {
		t.Fatalf("strace shows that %v bytes were moved, most by %s, want %s\n%s", moved, method, w.method, b)
	}
	w.method = method
	if call == "read" || call == "pread64" {
		for length, n := range asked[call] {
			if n > asked[call][w.buffer] {
				w.buffer = length
			}
		}
	}
}
