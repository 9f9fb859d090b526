//go:build linux

package corpus

import (
	"path/filepath"
	"strings"
	"testing"
)

// fioJobs write or read one file in a known way; none of them is a copy.
var fioJobs = []struct {
	name, args  string
	call        string // that moves the data
	block       int64
	depth       int // at the calls, at most
	read, write int64
	class       string
}{
	{"sequential write", "--rw=write --bs=64k --ioengine=psync --size=4m", "pwrite64", 64 << 10, 1, 0, 4 << 20,
		"sequential"},
	{"random read libaio", "--rw=randread --bs=4k --ioengine=libaio --iodepth=8 --direct=1 --size=4m", "libaio", 4 << 10,
		8, 4 << 20, 0, "random"},
	{"random write io_uring", "--rw=randwrite --bs=16k --ioengine=io_uring --iodepth=4 --direct=1 --size=4m", "io_uring",
		16 << 10, 4, 0, 4 << 20, "random"},
}

// TestJobs checks the calls, block sizes, depth and order of fio jobs.
func TestJobs(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "fio")
	for _, j := range fioJobs {
		t.Run(j.name, func(t *testing.T) {
			dir := workDir(t)
			file := filepath.Join(dir, "file")
			fill(t, file, 4<<20)
			args := append([]string{"fio", "--name=job", "--thread", "--filename=" + file, "--output=" + filepath.Join(dir,
				"out")}, strings.Fields(j.args)...)
			p := record(t, args...)
			for _, c := range p.Copies {
				if c.Source == file || c.Destination == file {
					t.Errorf("called a copy: %s → %s, %s", c.Source, c.Destination, c.Because)
				}
			}
			for _, c := range p.Calls {
				if c.Name == j.call && c.Bytes == j.read+j.write && len(c.Size.Top) == 1 && c.Size.Top[0].Value == j.block {
					goto found
				}
			}
			t.Errorf("no %s calls of %d bytes that moved %d", j.call, j.block, j.read+j.write)
		found:
			for _, f := range p.Files {
				if f.Path != file {
					continue
				}
				flow, pattern, moved := f.Read, f.ReadPattern, j.read
				if j.write > 0 {
					flow, pattern, moved = f.Write, f.WritePattern, j.write
				}
				if flow == nil || pattern == nil {
					t.Fatal("no data calls on the file")
				}
				if flow.Bytes != moved || flow.Depth.Max > j.depth || j.depth > 1 && flow.Depth.Max < 2 ||
					pattern.Class != j.class {
					t.Errorf("%d bytes, depth at most %d, %s; want %d, %d, %s", flow.Bytes, flow.Depth.Max, pattern.Class, moved,
						j.depth, j.class)
				}
				return
			}
			t.Error("the file is not listed")
		})
	}
}
