package tracer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

func TestNamesOfOthersFilesAreKept(t *testing.T) {
	log := &trace.Log{}
	d := newUnusedFiles(log, []uint32{9})
	name := func(id trace.FileID) { _ = d.File(&trace.File{ID: id, Path: fmt.Sprint("/", id)}) }
	for id := trace.FileID(1); id <= 9; id++ {
		name(id)
	}
	_ = d.Request(&trace.Request{File: 1, Offset: 4096, Evidence: trace.EvidenceInode, Flags: trace.ReqForeign, Bytes: 7})
	_ = d.Request(&trace.Request{More: []trace.Extent{{File: 1}}, Flags: trace.ReqForeign | trace.ReqRecorder})
	_ = d.Syscall(&trace.Syscall{File: 2, File2: 3})
	_ = d.Syscall(&trace.Syscall{File: 2, File2: 3})
	_ = d.AsyncOp(&trace.AsyncOp{File: 4, File2: 9})
	_ = d.Fault(&trace.Fault{File: 5})
	_ = d.Request(&trace.Request{File: 6, More: []trace.Extent{{File: 7}}})
	_ = d.Request(&trace.Request{File: 2, Flags: trace.ReqForeign})         // known by now
	_ = d.Request(&trace.Request{File: 8, PID: 9, Flags: trace.ReqForeign}) // the command's own, before it runs
	_ = d.Syscall(&trace.Syscall{File: 1})                                  // used after all
	_ = d.Request(&trace.Request{File: 1, Flags: trace.ReqForeign})

	var named []trace.FileID
	for _, f := range log.Files {
		named = append(named, f.ID)
	}
	if want := []trace.FileID{2, 3, 4, 9, 5, 6, 7, 8, 1}; !slices.Equal(named, want) {
		t.Errorf("named %v, want %v", named, want)
	}
	var files []trace.FileID
	for _, q := range log.Requests {
		files = append(files, q.File)
	}
	if want := []trace.FileID{0, 0, 6, 2, 8, 1}; !slices.Equal(files, want) {
		t.Errorf("requests of %v, want %v", files, want)
	}
	if q := log.Requests[0]; q.Offset != trace.NoOffset || q.Evidence != trace.EvidenceNone || q.Bytes != 7 ||
		log.Requests[1].More != nil {
		t.Errorf("%+v", log.Requests[:2])
	}
}

// However many files others use, few are kept; those in use are among them.
func TestKeptNamesAreBounded(t *testing.T) {
	log := &trace.Log{}
	d := newUnusedFiles(log, []uint32{9})
	for id := trace.FileID(1); id < 5*mostUnused; id++ {
		_ = d.File(&trace.File{ID: id, Path: "/x"})
		if id%1000 == 0 {
			_ = d.Request(&trace.Request{File: 1, Flags: trace.ReqForeign})
		}
	}
	if n := len(d.young) + len(d.old); n > 2*mostUnused {
		t.Errorf("%d files are kept", n)
	}
	_ = d.Syscall(&trace.Syscall{File: 1})
	if len(log.Files) != 1 {
		t.Errorf("the file in use has been forgotten: %v", log.Files)
	}
}
