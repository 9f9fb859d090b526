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

	"github.com/iotrace/iotrace/internal/testenv"
)

type mendSession struct {
	tool, temp, only string
	runs             int
	verbose          bool
}

// record records each program, as it is and mended, round after round: what else the machine does changes slowly.
func (s *mendSession) record(dir string) (err error) {
	ended, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	temp, err := os.MkdirTemp(s.temp, "iotrace-mends-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	quick := filepath.Join(temp, "quick")
	mounted, end, err := testenv.StartModel(temp, mendDrive(quick))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	for i := range programs {
		p := &programs[i]
		if !chosen(s.only, p.name) {
			continue
		}
		for n := range s.runs {
			for _, m := range p.all() {
				file := filepath.Join(dir, p.name, fmt.Sprintf("%s-%d.iotrace", m.code, n+1))
				if err := errors.Join(ended.Err(), s.recordOnce(p, m, mounted, quick, file)); err != nil {
					return fmt.Errorf("%s, %s: %w", p.name, m.code, err)
				}
			}
		}
	}
	return nil
}

// usualReadAhead is what the kernel reads ahead unless it is told otherwise, in KiB.
const usualReadAhead = 128

// forget makes the kernel forget what is in the files of a directory, and nothing else: a program starts as it always
// does.
const forget = "find . -type f -size +0 -exec dd of={} oflag=nocache conv=notrunc,fdatasync count=0 status=none \\;"

// recordOnce records a program, or one that was mended, in a directory that is made for it.
func (s *mendSession) recordOnce(p *program, m mend, mounted, quick, file string) (err error) {
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
	if m.quick {
		if err := os.WriteFile(quick, nil, 0o600); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Remove(quick)) }()
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
