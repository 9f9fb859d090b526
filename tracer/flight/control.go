package flight

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/output"
)

// socketDirectory is where the sockets of the recorders of this user are. systemd names it to a service with
// RuntimeDirectory=.
func socketDirectory() (string, error) {
	if dir := os.Getenv("RUNTIME_DIRECTORY"); dir != "" {
		return dir, nil
	}
	if os.Geteuid() == 0 {
		return "/run/iotrace", nil
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return filepath.Join(dir, "iotrace"), nil
	}
	return "", errors.New("there is no directory for sockets: XDG_RUNTIME_DIR is not set")
}

const suffix = ".sock"

// controlAnswer is what a recorder says, as a line of JSON.
type controlAnswer struct {
	Path  string `json:"path,omitempty"`
	Error string `json:"error,omitempty"`
}

// controlRequest is all that can be asked for.
const controlRequest = "dump"

const (
	patience = 5 * time.Second // until a request is made
	mostWait = 5 * time.Minute // until a trace is written
)

// dumpServer answers those who ask.
type dumpServer struct {
	listener *net.UnixListener
	dump     func() (path string, err error)
	done     chan struct{}
}

// ServeDumps makes a socket and has dump called for each request, one at a time, until Close.
func ServeDumps(dump func() (path string, err error)) (*dumpServer, error) {
	dir, err := socketDirectory()
	if err != nil {
		return nil, err
	}
	if err := prepare(dir); err != nil {
		return nil, err
	}
	address := net.UnixAddr{Name: filepath.Join(dir, strconv.Itoa(os.Getpid())+suffix), Net: "unix"}
	l, err := net.ListenUnix("unix", &address)
	if err != nil {
		return nil, fmt.Errorf("making a socket for iotrace dump: %w", err)
	}
	s := &dumpServer{l, dump, make(chan struct{})}
	go s.serve()
	return s, nil
}

// prepare makes the directory, for this user alone, and removes sockets that nobody listens at any more.
func prepare(path string) error {
	var made []output.Place
	d, err := output.OpenOrMake(path, nil, &made)
	for _, p := range made {
		p.Close()
	}
	if err != nil {
		return fmt.Errorf("making a directory for the socket of iotrace dump: %w", err)
	}
	defer d.Close()
	st, err := d.StatSelf()
	if err != nil {
		return err
	}
	if st.Uid != uint32(os.Geteuid()) || st.Mode&0o022 != 0 {
		return fmt.Errorf("%s is no directory of this user alone: the socket of iotrace dump is not made there", path)
	}
	names, err := sockets(d)
	for _, name := range names {
		if c, err := net.DialTimeout("unix", filepath.Join(path, name), patience); err == nil {
			c.Close()
		} else if errors.Is(err, unix.ECONNREFUSED) {
			_ = d.Remove(name)
		}
	}
	return err
}

// sockets are the names of those in a directory.
func sockets(d *output.Directory) (names []string, err error) {
	entries, err := d.Entries()
	for _, e := range entries {
		if strings.HasSuffix(e.Name, suffix) && !e.Regular && !e.Directory {
			names = append(names, e.Name)
		}
	}
	return names, err
}

func (s *dumpServer) serve() {
	defer close(s.done)
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return // closed
		}
		s.answer(c)
	}
}

func (s *dumpServer) answer(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	line, err := bufio.NewReaderSize(c, 64).ReadSlice('\n')
	if err != nil {
		return // who only looks whether somebody listens
	}
	var a controlAnswer
	if strings.TrimSpace(string(line)) != controlRequest {
		a.Error = "want " + controlRequest
	} else if a.Path, err = s.dump(); err != nil {
		a.Error = err.Error()
	}
	_ = c.SetDeadline(time.Now().Add(patience))
	_ = json.NewEncoder(c).Encode(a)
}

// Close removes the socket.
func (s *dumpServer) Close() error {
	err := s.listener.Close()
	<-s.done
	return err
}

// Dump asks the recorder of a process for a trace, the only one there is if pid is 0, and says where it is.
func Dump(ctx context.Context, pid int) (path string, err error) {
	c, err := connect(pid)
	if err != nil {
		return "", err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Now()) })()
	_ = c.SetDeadline(time.Now().Add(mostWait))
	if _, err := c.Write([]byte(controlRequest + "\n")); err != nil {
		return "", fmt.Errorf("asking the recorder: %w", err)
	}
	var a controlAnswer
	if err := json.NewDecoder(c).Decode(&a); err != nil {
		return "", fmt.Errorf("the recorder has ended or does not answer: %w", err)
	}
	if a.Error != "" {
		return "", errors.New(a.Error)
	}
	return a.Path, nil
}

// listening are the names of sockets in a directory that need not be there.
func listening(dir string) ([]string, error) {
	d, err := output.OpenDirectory(dir, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer d.Close()
	return sockets(d)
}

// connect finds the recorder.
func connect(pid int) (net.Conn, error) {
	dir, err := socketDirectory()
	if err != nil {
		return nil, err
	}
	names, err := listening(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for recorders: %w", err)
	}
	var found []string
	var only net.Conn
	for _, name := range names {
		number := strings.TrimSuffix(name, suffix)
		if pid != 0 && number != strconv.Itoa(pid) {
			continue
		}
		c, err := net.DialTimeout("unix", filepath.Join(dir, name), patience)
		if err != nil {
			continue // it has ended
		}
		if only != nil {
			only.Close()
		}
		found, only = append(found, number), c
	}
	switch {
	case len(found) == 1:
		return only, nil
	case len(found) > 1:
		only.Close()
		return nil, fmt.Errorf("several recorders run: say which with --pid (%s)", strings.Join(found, ", "))
	case pid != 0:
		return nil, fmt.Errorf("process %d is no flight recorder of this user", pid)
	}
	return nil, errors.New("no flight recorder of this user runs (iotrace record --keep; root's are asked with sudo)")
}
