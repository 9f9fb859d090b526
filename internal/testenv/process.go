//go:build linux

package testenv

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// word makes a program serve a device instead of doing what it is for.
const word = "__slow"

// Start mounts a device that takes as long for each request at a directory in dir, until end is called or this
// process is no more. Another process serves it: one that waits for its own
// device where its runtime does not know of it, in io_uring, would never answer.
// The program must call Serving first of all.
func Start(dir string, latency time.Duration) (mounted string, end func() error, err error) {
	return StartModel(dir, &Model{Read: latency, Write: latency})
}

// StartModel does the same for a device that takes as long as a model says.
func StartModel(dir string, m *Model) (mounted string, end func() error, err error) {
	text, err := json.Marshal(m)
	if err != nil {
		return "", nil, err
	}
	c := exec.Command("/proc/self/exe", word, dir, string(text))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	end = func() error { return errors.Join(in.Close(), c.Wait()) }
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return "", nil, errors.Join(errors.New("making the slow device failed"), end())
	}
	return filepath.Join(dir, "slow"), end, nil
}

// Serving serves a device, or does an errand for one, if this process was started for that, and ends it.
func Serving() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == word:
		err = serve(os.Args[2], os.Args[3])
	case len(os.Args) > 2 && os.Args[1] == errandWord:
		err = run(os.Args[2:])
	default:
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve(dir, text string) error {
	signal.Ignore(os.Interrupt, unix.SIGTERM) // the process that started this one unmounts first
	m := new(Model)
	if err := json.Unmarshal([]byte(text), m); err != nil {
		return err
	}
	if m.Size == 0 {
		m.Size = Size
	}
	d, err := newDevice(dir, m)
	if err != nil {
		return err
	}
	fmt.Println("mounted")
	_, err = io.Copy(io.Discard, os.Stdin) // ends with the other process at the latest
	return errors.Join(err, d.close())
}
