package main

// This file passes a result from a recorded command, which is this program as well, to its recorder.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/tracer"
)

// receiver takes the result of a command that is to be recorded.
type receiver struct {
	FD     int // what the command inherits, and is to be told of
	ours   *os.File
	theirs *os.File
	text   chan []byte
}

// receive makes a receiver. It must be closed.
func receive() (*receiver, error) {
	ours, theirs, err := host.ParentPair()
	if err != nil {
		return nil, err
	}
	fd, err := tracer.Inherit(theirs)
	if err != nil {
		return nil, errors.Join(err, ours.Close(), theirs.Close())
	}
	r := &receiver{FD: fd, ours: ours, theirs: theirs, text: make(chan []byte, 1)}
	go func() {
		text, _ := io.ReadAll(ours)
		r.text <- text
	}()
	return r, nil
}

// Close ends the connection.
func (r *receiver) Close() {
	r.theirs.Close()
	r.ours.Close()
}

// Read waits for the result of a command that has ended; from one that is still running it takes what is there.
func (r *receiver) Read(ended bool, result any) error {
	r.theirs.Close()
	if !ended {
		_ = unix.Shutdown(int(r.ours.Fd()), unix.SHUT_RD)
	}
	if err := json.Unmarshal(<-r.text, result); err != nil {
		return fmt.Errorf("reading the result: %w", err)
	}
	return nil
}

// send hands a result over to the recorder, if that is this process's parent.
func send(fd int, result any) error {
	text, err := json.Marshal(result)
	if err == nil {
		err = host.VerifyParent(fd)
	}
	if err == nil {
		f := os.NewFile(uintptr(fd), "result")
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("handing the result over: %w", err)
	}
	return nil
}
