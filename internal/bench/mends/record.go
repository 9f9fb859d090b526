//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/bench/slow"
)

type session struct {
	tool, temp, only, drives string
	runs                     int
	verbose                  bool
}

// record records each program on the first drive, and mended.
func (s *session) record(dir string) error {
	ended, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	for i := range drives {
		if d := &drives[i]; chosen(s.drives, d.name) {
			if err := s.recordOn(ended, d.name, &d.Model, dir); err != nil {
				return fmt.Errorf("recording on the drive %q: %w", d.name, err)
			}
		}
	}
	return nil
}

func (s *session) recordOn(ended context.Context, drive string, m *slow.Model, dir string) (err error) {
	temp, err := os.MkdirTemp(s.temp, "iotrace-mends-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	mounted, end, err := slow.StartModel(temp, m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	for i := range programs {
		p := &programs[i]
		if !chosen(s.only, p.name) {
			continue
		}
		list := []mend{{code: "plain"}}
		for _, m := range p.mends {
			if drive == drives[0].name {
				list = append(list, m)
			}
		}
		for _, m := range list {
			name := m.code
			if drive != drives[0].name {
				name = drive
			}
			for n := range s.runs {
				file := filepath.Join(dir, p.name, fmt.Sprintf("%s-%d.iotrace", name, n+1))
				if err := errors.Join(ended.Err(), s.recordOnce(p, m, mounted, file)); err != nil {
					return fmt.Errorf("%s, %s: %w", p.name, name, err)
				}
			}
		}
	}
	return nil
}

// usualReadAhead is what the kernel reads ahead unless it is told otherwise, in KiB.
const usualReadAhead = 128

// forget makes the kernel forget what is in the files of a directory, and nothing else: a program starts as it always does.
const forget = "find . -type f -size +0 -exec dd of={} oflag=nocache conv=notrunc,fdatasync count=0 status=none \\;"

// recordOnce records a program, or one that was mended, in a directory that is made for it.
func (s *session) recordOnce(p *program, m mend, mounted, file string) error {
	tool, err := filepath.Abs(s.tool)
	if err != nil {
		return err
	}
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	command, again, readAhead := p.command, "true", usualReadAhead
	if m.command != "" {
		command = m.command
	}
	if m.warm {
		again = command + " >/dev/null"
	}
	if m.readAhead > 0 {
		readAhead = m.readAhead
	}
	work := filepath.Join(mounted, "work")
	for _, step := range []*exec.Cmd{
		exec.Command("mkdir", work), in(work, "sh", "-c", p.prepare), exec.Command("sync", "-f", work),
		in(work, "sh", "-c", forget), in(work, "sh", "-c", again), exec.Command("sync", "-f", work),
		in(work, tool, "record", "--quiet", "-f", "--no-verify-copies", "-o", file, "--", "sh", "-c", "exec "+command),
		exec.Command("rm", "-rf", work), exec.Command("sync", "-f", mounted),
	} {
		if err := setReadAhead(mounted, readAhead); err != nil {
			return err
		}
		if out, err := step.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", step, err, out)
		}
	}
	return nil
}

// setReadAhead says how far the kernel reads ahead on the device below a directory.
func setReadAhead(dir string, kib int) error {
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		return fmt.Errorf("looking at %s: %w", dir, err)
	}
	file := fmt.Sprintf("/sys/dev/block/%d:%d/queue/read_ahead_kb", unix.Major(st.Dev), unix.Minor(st.Dev))
	return os.WriteFile(file, []byte(strconv.Itoa(kib)), 0)
}

func in(dir, name string, words ...string) *exec.Cmd {
	c := exec.Command(name, words...)
	c.Dir = dir
	return c
}
