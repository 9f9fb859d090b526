package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer/backends"
)

// TestService: the command line of the unit for systemd is one that the program takes.
func TestService(t *testing.T) {
	unit, err := os.ReadFile("../../packaging/iotrace.service")
	if err != nil {
		t.Fatal(err)
	}
	start := regexp.MustCompile(`(?m)^ExecStart=/usr/bin/iotrace (.*)$`).FindSubmatch(unit)
	if start == nil {
		t.Fatal("the unit starts nothing")
	}
	dir := t.TempDir()
	t.Setenv("RUNTIME_DIRECTORY", filepath.Join(dir, "run"))
	var args []string
	for _, word := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(string(start[1]), -1) {
		if word = strings.Trim(word, `"`); word == "/var/lib/iotrace" {
			word = dir
		}
		args = append(args, word)
	}
	s, out, e := cli.FakeStreams()
	if status := run(append(args, "--duration", "100ms"), s, backends.List{fakeBackend}); status != 0 {
		t.Errorf("%q: status %d: %s", args, status, e)
	}
	if !strings.Contains(strings.Join(args, " "), dir) || out.String()+e.String() != "" {
		t.Errorf("%q: %s%s", args, out, e)
	}
}

// systemd knows every setting of the unit. It says of others on this machine what it likes.
func TestServiceIsValid(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze here")
	}
	unit, err := os.ReadFile("../../packaging/iotrace.service")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "iotrace.service")
	text := strings.Replace(string(unit), "ExecStart=/usr/bin/iotrace ", "ExecStart="+self+" ", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("systemd-analyze", "verify", "--man=no", file).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "iotrace.service") {
			t.Error(line)
		}
	}
}
