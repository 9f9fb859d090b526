package tracer

import (
	"strconv"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Bytes are those of requests once there are any; a write to a terminal is seen, one to another device is not one.
func TestMeter(t *testing.T) {
	var m meter
	m.file(&trace.File{ID: 1, Type: trace.FileChar, Path: "/dev/null"})
	m.file(&trace.File{ID: 2, Type: trace.FileChar, Path: "/dev/pts/3"})
	m.file(&trace.File{ID: 3, Type: trace.FileRegular, Path: "/dev/pts/file"})
	m.call(&trace.Syscall{Op: trace.OpRead, File: 2, Result: 10})
	m.call(&trace.Syscall{Op: trace.OpWrite, File: 1, Result: 20})
	m.call(&trace.Syscall{Op: trace.OpWrite, File: 3, Result: 5})
	m.call(&trace.Syscall{Op: trace.OpWrite, File: 2, Result: -5})
	if want := (Progress{Read: 10, Written: 25}); m.sum != want {
		t.Errorf("%+v, want %+v", m.sum, want)
	}
	m.request(&trace.Request{Op: trace.ReqFlush})
	m.request(&trace.Request{Op: trace.ReqWrite, Bytes: 4096})
	m.call(&trace.Syscall{Op: trace.OpWrite, File: 2, Result: 1})
	if want := (Progress{Written: 4096, Terminal: true}); m.sum != want {
		t.Errorf("%+v, want %+v", m.sum, want)
	}
}

// Of many terminals one is taken to be written to: nothing grows with them.
func TestMeterOfManyTerminals(t *testing.T) {
	var m meter
	for i := range 10_000 {
		m.file(&trace.File{ID: trace.FileID(i + 1), Type: trace.FileChar, Path: "/dev/pts/" + strconv.Itoa(i)})
	}
	if len(m.terminals) > maxTerminals || !m.sum.Terminal {
		t.Errorf("%d terminals, %+v", len(m.terminals), m.sum)
	}
}
