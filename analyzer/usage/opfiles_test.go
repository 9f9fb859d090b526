package usage

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// TestOpFiles has calls on names that were asked for again and again below one directory, and a few elsewhere; reads of
// one file only, which say nothing of where files lie.
func TestOpFiles(t *testing.T) {
	files := &world.Files{}
	add := func(path string, kind trace.FileType) *world.File {
		f := &world.File{Path: path, Kind: kind, Number: len(files.All) + 1}
		files.All = append(files.All, f)
		return f
	}
	c := NewOpFiles(files)
	call := func(f *world.File, op trace.Op, ns int64) {
		c.Call(&world.Call{Syscall: &trace.Syscall{Op: op, Duration: ns}, File: f})
	}
	for i := range 10 {
		f := add(fmt.Sprintf("/srv/a/%d/name", i), trace.FileRegular)
		for range 5 {
			call(f, trace.OpStat, 100)
		}
	}
	call(add("/srv/a", trace.FileDirectory), trace.OpStat, 100)
	call(add("/etc/passwd", trace.FileRegular), trace.OpStat, 100)
	call(add("pipe:[1]", trace.FilePipe), trace.OpStat, 100000)
	call(files.All[0], trace.OpRead, 100)
	call(files.All[0], trace.OpSeek, 100)

	var p profile.Profile
	c.Finish(&p)
	want := []profile.OpFiles{{Op: trace.OpStat, Calls: 52, Files: 12, Under: "/srv/a", UnderFiles: 11, UnderCalls: 51,
		UnderNS: 5100}}
	if diff := cmp.Diff(want, p.OpFiles); diff != "" {
		t.Error(diff)
	}
}

// TestOpFilesEverywhere has files in directories that share none but the root.
func TestOpFilesEverywhere(t *testing.T) {
	files := &world.Files{}
	c := NewOpFiles(files)
	for i, path := range []string{"/usr/bin/a", "/etc/b", "/home/c"} {
		f := &world.File{Path: path, Number: i + 1}
		files.All = append(files.All, f)
		c.Call(&world.Call{Syscall: &trace.Syscall{Op: trace.OpRead}, File: f})
	}
	var p profile.Profile
	c.Finish(&p)
	want := []profile.OpFiles{{Op: trace.OpRead, Calls: 3, Files: 3, UnderFiles: 3, UnderCalls: 3}}
	if diff := cmp.Diff(want, p.OpFiles); diff != "" {
		t.Error(diff)
	}
}
