package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// TestSmallFilesOneByOne: requests that each are for a file of their own do not get larger. Others do, as long as their
// files have more to ask for.
func TestSmallFilesOneByOne(t *testing.T) {
	for _, c := range []struct {
		name     string
		requests int64 // of the device, of 4 KiB
		of       profile.Pieces
		files    string
		remedy   string
	}{
		{"a request for each file", 1000, profile.Pieces{Files: 1000, Count: 1000, Least: 1000}, ", 1,000 files: ",
			"several files in parallel (xargs -P), or the next ones ahead"},
		{"two for each, more than are listed", 100_000, profile.Pieces{Files: 40_000, Count: 80_000, Least: 40_000},
			", 40,000 files: ", "several files in parallel"},
		{"few files", 10, profile.Pieces{Files: 10, Count: 10, Least: 10}, "", "several requests in parallel"},
		{"many for each, as files end", 2000, profile.Pieces{Files: 100, Count: 2000, Least: 1500}, "",
			"several requests in parallel"},
		{"few of them of files", 1000, profile.Pieces{Files: 100, Count: 400, Least: 10}, "", "several requests in parallel"},
		{"pieces of a large file", 1000, profile.Pieces{Files: 1, Count: 1000, Least: 63}, "", "larger requests, or several"},
		{"pieces of small files", 1000, profile.Pieces{Files: 100, Count: 1000, Least: 100}, "",
			"larger requests, or several"},
		{"no file is known", 1000, profile.Pieces{}, "", "larger requests, or several"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(1)}
		p.Devices[0].Read.Count = c.requests
		p.Devices[0].Read.Size.P50 = 4096
		p.Pattern.ReadRequests = c.of
		r := &verdict.Judge(p).Causes[0]
		if r.Code != cause.DeviceLatency || !strings.Contains(r.Text, "one by one"+c.files) ||
			c.files == "" && strings.Contains(r.Text, " files") || !strings.HasPrefix(r.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// TestServerReadsOneByOne: who asks a server for files cannot have it read several at a time.
func TestServerReadsOneByOne(t *testing.T) {
	p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
	p.Devices = []profile.Device{drive(1)}
	p.Devices[0].Read.Count = 300
	p.Pattern.ReadRequests = profile.Pieces{Files: 300, Count: 300, Least: 300}
	p.Operations = &profile.Operations{Count: 300, TotalNS: second, Parts: []profile.PathPart{{NS: second,
		Place: profile.PathPlace{What: "service", Label: "device_read", Device: p.Devices[0].Name, Process: "smbd"}}}}
	if r := &verdict.Judge(p).Causes[0]; !strings.HasPrefix(r.Remedy, "more workers or threads of the server") {
		t.Errorf("%+v", r)
	}
}

// TestLittleOfEach: who looks for something in each of many large files needs an index of them; who reads small ones
// whole does not.
func TestLittleOfEach(t *testing.T) {
	for size, want := range map[int64]string{1 << 20: "one index of them", 4096: "several files in parallel"} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(1)}
		p.Devices[0].Read.Count = 300
		p.Pattern.ReadRequests = profile.Pieces{Files: 300, Count: 300, Least: 300}
		for range 300 {
			p.Files = append(p.Files, profile.File{Type: trace.FileRegular, Size: size, Read: &profile.Flow{Bytes: 4096}})
		}
		if r := &verdict.Judge(p).Causes[0]; !strings.HasPrefix(r.Remedy, want) {
			t.Errorf("%d: %s", size, r.Remedy)
		}
	}
}

// TestFilesOneByOne: where the files lie that are read one by one, how small they are if a request brings in mostly
// what is not of them, and what helps if several are under way.
func TestFilesOneByOne(t *testing.T) {
	for _, c := range []struct {
		name         string
		size         int64
		depth        float64
		text, remedy string
	}{
		{"jobs of a spool", 200, 1, "reads from sda one by one, 300 files below new of 200 B: ", "one file for all of them"},
		{"mails", 9000, 1, "reads from sda one by one, 300 files below new: ", "several files in parallel"},
		{"mails, by four threads", 9000, 4, "reads from sda 4.0 at a time, 300 files below new: ", "more files at a time"},
	} {
		p := spent(map[string]int64{"device_read": second}, map[string]int64{"waiting_io": second})
		p.Devices = []profile.Device{drive(c.depth)}
		d := p.Devices[0].Read
		d.Count, d.Size.P50, d.AloneNS = 300, max(4096, c.size), second/100
		p.Pattern.ReadRequests = profile.Pieces{Files: 300, Count: 300, Least: 300}
		for i := range 300 {
			p.Files = append(p.Files, profile.File{Type: trace.FileRegular, Path: fmt.Sprintf("/var/spool/new/%d", i),
				Size: c.size, Read: &profile.Flow{Bytes: c.size}, DeviceRead: &profile.Flow{Count: 1, Bytes: 4096}})
		}
		if r := &verdict.Judge(p).Causes[0]; !strings.HasPrefix(r.Text, c.text) || !strings.HasPrefix(r.Remedy, c.remedy) {
			t.Errorf("%s: %q, %q", c.name, r.Text, r.Remedy)
		}
	}
}

// TestFilesWrittenOneByOne: files that are written lie where they are written, whatever libraries were read meanwhile.
func TestFilesWrittenOneByOne(t *testing.T) {
	p := spent(map[string]int64{"device_write": second}, map[string]int64{"waiting_io": second})
	d := drive(4)
	d.Read, d.Write = nil, d.Read
	d.Write.Count, d.Write.Size.P50, d.Write.AloneNS = 300, 4096, second/100
	p.Devices = []profile.Device{d}
	p.Pattern.WriteRequests = profile.Pieces{Files: 300, Count: 300, Least: 300}
	for i := range 300 {
		p.Files = append(p.Files, profile.File{Type: trace.FileRegular, Path: fmt.Sprintf("/srv/mail/thumbs/%d", i),
			Size: 900, Write: &profile.Flow{Bytes: 900}, DeviceWrite: &profile.Flow{Count: 1, Bytes: 4096}},
			profile.File{Type: trace.FileRegular, Path: fmt.Sprintf("/usr/lib/gimp/%d", i), DeviceRead: &profile.Flow{Count: 1}})
	}
	if r := &verdict.Judge(p).Causes[0]; !strings.Contains(r.Text, "300 files below thumbs: ") {
		t.Errorf("%q", r.Text)
	}
}

// TestCallsAsSmallAsFiles: no larger calls are advised to who reads whole files, wherever these lie.
func TestCallsAsSmallAsFiles(t *testing.T) {
	small := profile.Pieces{Files: 1000, Count: 2000, Least: 1000}
	large := profile.Pieces{Files: 1, Count: 2000, Least: 125}
	for _, c := range []struct {
		name, fs      string
		label, thread string
		want          string
	}{
		{"a network file system", "nfs4", "lock", "blocked_in_call", "a larger block size"},
		{"a process", "fuse.sshfs", "lock", "blocked_in_call", "a larger block size"},
		{"memory", "ext4", "page_cache", "data_calls", "larger calls"},
		{"past the page cache", "ext4", "page_cache", "data_calls", "larger calls"},
	} {
		judge := func(of profile.Pieces) *profile.Reason {
			p := spent(map[string]int64{c.label: second}, map[string]int64{c.thread: second})
			p.Files = []profile.File{{Path: "/m/a", Type: trace.FileRegular, FSType: c.fs, Mount: "/m",
				Ops: []profile.OpCount{{Op: trace.OpRead, Count: 2000, TimeNS: second, Bytes: 8 << 20}}}}
			f := &profile.Flow{Count: 2000, Bytes: 8 << 20}
			f.Size.P50, f.Size.ByBytes = 4096, 4096
			p.Layers = []profile.Layer{{Name: "calls", Read: f}}
			p.Pattern.ReadCalls = of
			if c.name == "past the page cache" {
				p.Pattern.Modes = &profile.CacheModes{DirectRead: 8 << 20}
			}
			return &verdict.Judge(p).Causes[0]
		}
		if r := judge(large); !strings.Contains(r.Remedy, c.want) {
			t.Errorf("%s, a large file: %+v", c.name, r)
		}
		if r := judge(small); strings.Contains(r.Remedy, c.want) {
			t.Errorf("%s, small files: %+v", c.name, r)
		}
	}
}
