//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// port is of the connection that the two machines of a pair speak over beside NFS.
const port = 7

// kept are the files that the host takes, by what the machine is.
var kept = map[string][]string{"server": {traceName}, "client": {traceName, beforeName, afterName}}

// keptOfShare are those of SMB.
var keptOfShare = []string{shareName + traceName, shareName + beforeName, shareName + afterName}

// pairs are what the two machines do, by what they are.
var pairs = map[string]func() (string, error){"server": server, "client": client}

// inPair does what a machine of a pair is for, and reports it.
func inPair(role string) {
	found, err := "", errors.Join(unix.Sethostname([]byte(role)), network(role))
	if err == nil {
		found, err = pairs[role]()
	}
	files := kept[role]
	if role == "client" && canShare() {
		files = append(files, keptOfShare...)
	}
	if err == nil {
		err = keep(files...)
	}
	c := check{name: role, find: func() (string, []string, error) { return found, nil, err }}
	report(c.run())
}

// server serves its disk, and records all processes, those of the kernel with them, while the client says so.
func server() (string, error) {
	if err := errors.Join(keepClock(0), serve()); err != nil {
		return "", err
	}
	if canShare() {
		if err := share(); err != nil {
			return "", err
		}
	}
	l, err := net.Listen("tcp", netip.AddrPortFrom(addresses["server"], port).String())
	if err != nil {
		return "", err
	}
	defer l.Close()
	client, err := l.Accept()
	if err != nil {
		return "", err
	}
	defer client.Close()
	var recorder *exec.Cmd
	for {
		var asked [1]byte
		if _, err := io.ReadFull(client, asked[:]); err != nil {
			return "", fmt.Errorf("the client: %w", err)
		}
		switch asked[0] {
		case askTime:
			err = answerTime(client)
		case askRecord:
			if recorder, err = startRecording(); err == nil {
				_, err = client.Write(asked[:])
			}
		case askEnd:
			if err := errors.Join(recorder.Process.Signal(unix.SIGINT), recorder.Wait()); err != nil {
				return "", fmt.Errorf("iotrace record: %w", err)
			}
			_, err = client.Write(asked[:])
			return "recorded", err
		}
		if err != nil {
			return "", err
		}
	}
}

// startRecording records everything, and returns when that has begun.
func startRecording() (*exec.Cmd, error) {
	const ready = "/tmp/ready"
	c := exec.Command("/iotrace", "record", "--all", "-q", "-f", "-o", "/tmp/"+traceName, "--ready-file", ready)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		return nil, err
	}
	for range 3000 { // the machine is emulated, and there are two
		if _, err := os.Stat(ready); err == nil {
			return c, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil, errors.New("the recording does not begin")
}

// client copies a file to the server and records that.
func client() (string, error) {
	server, err := dial(port)
	if err != nil {
		return "", err
	}
	defer server.Close()
	if err := errors.Join(setClock(server), mountServer()); err != nil {
		return "", err
	}
	if canShare() {
		if err := clientOfShare(); err != nil {
			return "", err
		}
	}
	costs := ""
	if rounds, _ := strconv.Atoi(os.Getenv("cost")); rounds > 0 {
		if costs, err = cost(rounds); err != nil {
			return "", err
		}
		costs = "; " + costs
	}
	if err := tell(server, askRecord); err != nil {
		return "", err
	}
	_, err = iotrace("record", "-q", "-f", "-o", "/tmp/"+traceName, "--", self, "send", workDir+"/source",
		mount+"/written", "/proc/self/mountstats", "")
	return "recorded" + costs, errors.Join(err, tell(server, askEnd))
}

// tell tells the server something and waits until it has done it.
func tell(server io.ReadWriter, what byte) error {
	if _, err := server.Write([]byte{what}); err != nil {
		return err
	}
	_, err := io.ReadFull(server, []byte{0})
	return err
}

// block is what the workload of the client writes at once.
const block = 1 << 20

// send copies a file, has the server keep it, reads it from there, and goes on until the client has closed it too. It
// notes what the kernel counts of the mount, before and after.
func send(from, to, statistics, name string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := noteStatistics(statistics, name+beforeName); err != nil {
		return err
	}
	fd, err := unix.Open(to, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	for ; len(data) > 0; data = data[min(block, len(data)):] {
		if _, err := unix.Write(fd, data[:min(block, len(data))]); err != nil {
			return err
		}
	}
	if err := errors.Join(unix.Fsync(fd), unix.Close(fd), fetch(to)); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	return noteStatistics(statistics, name+afterName)
}

// fetch reads a file from the server, and asks for names that are not there.
func fetch(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return err
	}
	for i := range 10 {
		if _, err := os.Stat(fmt.Sprint(path, i)); err == nil {
			return fmt.Errorf("%s%d is there", path, i)
		}
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, block))
	return err
}

// noteStatistics keeps what the kernel counts of mounts.
func noteStatistics(from, name string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile("/tmp/"+name, text, 0o600)
}

// keep puts files on the disk, and the disk in a state in which it can be read by others.
func keep(names ...string) error {
	for _, name := range names {
		content, err := os.ReadFile("/tmp/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(workDir, name), content, 0o600); err != nil {
			return err
		}
	}
	dir, err := os.Open(workDir)
	if err != nil {
		return err
	}
	defer dir.Close()
	unix.Sync()
	const freeze = 0xc0045877 // FIFREEZE, linux/fs.h
	return unix.IoctlSetInt(int(dir.Fd()), freeze, 0)
}
