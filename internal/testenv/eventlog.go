//go:build linux

package testenv

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// EventLog is the kernel's own event log, in a buffer that nobody else uses.
type EventLog struct {
	t   testing.TB
	dir string
}

// StartEventLog logs tracepoints, filtered by an expression over their fields, until the test ends.
func StartEventLog(t testing.TB, filter string, events ...string) *EventLog {
	t.Helper()
	root, closed, err := OpenTracefs()
	if err != nil {
		Missing(t, "the kernel's own event log: %v", err)
	}
	t.Cleanup(func() {
		if err := closed(); err != nil {
			t.Error(err)
		}
	})
	dir, err := os.MkdirTemp(root+"/instances", "iotrace-test-")
	if err != nil {
		t.Fatal(err)
	}
	l := &EventLog{t, dir}
	t.Cleanup(func() {
		for _, event := range events {
			l.Set("events/"+event+"/enable", "0")
		}
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	l.Set("buffer_size_kb", "32768")
	l.Set("options/record-tgid", "1")
	for _, event := range events {
		l.Set("events/"+event+"/filter", filter)
		l.Set("events/"+event+"/enable", "1")
	}
	return l
}

// Set writes a setting of the log.
func (l *EventLog) Set(name, value string) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.dir, name), []byte(value), 0); err != nil {
		l.t.Fatal(err)
	}
}

// Lines are the events so far. A full buffer is an error of the test.
func (l *EventLog) Lines() []string {
	l.t.Helper()
	log, err := os.Open(l.dir + "/trace")
	if err != nil {
		l.t.Fatal(err)
	}
	defer log.Close()
	var events []string
	for s := bufio.NewScanner(log); s.Scan(); {
		if line := s.Text(); !strings.HasPrefix(line, "#") {
			events = append(events, line)
			continue
		}
		var kept, all int
		if n, _ := fmt.Sscanf(s.Text(), "# entries-in-buffer/entries-written: %d/%d", &kept, &all); n == 2 && kept != all {
			l.t.Fatalf("the kernel's event log kept %d of %d events", kept, all)
		}
	}
	return events
}
