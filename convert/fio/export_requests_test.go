package fio

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/internal/output"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// alone is a trace of requests alone, of two disks.
func alone(t *testing.T, path string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux", Limits: []trace.Limit{trace.LimitNoCalls.Limit()}})
	if err != nil {
		t.Fatal(err)
	}
	a, b := trace.MakeDeviceID(8, 0), trace.MakeDeviceID(8, 16)
	request := func(device trace.DeviceID, op trace.ReqOp, queued, issued, completed int64, sector uint64, bytes int64, errno int32) error {
		return w.Request(&trace.Request{Queued: queued, Issued: issued, Completed: completed, Device: device, Sector: sector, Bytes: bytes,
			Op: op, Offset: trace.NoOffset, Bios: 1, Error: errno})
	}
	for _, err := range []error{
		w.Device(&trace.Device{ID: a, Name: "sda"}), w.Device(&trace.Device{ID: b, Name: "8:16"}),
		request(a, trace.ReqRead, -1, 1_000_000, 1_500_000, 1<<31, 8192, 0),           // 1 TiB, two pages
		request(a, trace.ReqRead, 1_100_000, 1_200_000, 1_600_000, 1<<31+16, 4096, 0), // behind it
		request(a, trace.ReqWrite, -1, 2_000_000, 2_400_000, 2049, 512, 0),            // 1 MiB and 512 bytes
		request(a, trace.ReqWrite, -1, 2_100_000, 2_400_000, 2049, 512, 5),
		request(a, trace.ReqFlush, -1, 2_500_000, 2_600_000, 0, 0, 0),
		request(a, trace.ReqRead, 2_700_000, 2_900_000, 3_100_000, 1<<30, 0, 0), // a size that is not known
		request(b, trace.ReqRead, 2_800_000, 3_000_000, 3_200_000, 8, 4096, 0),
		w.Close(trace.End{Duration: 10_000_000}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// ofRequests are what is written of it. On sda the page of the write comes first, and a page lies between.
var ofRequests = map[string]string{
	"t-direct.iolog": `fio version 3 iolog
1 0000-sda add
1 0000-sda open
1 0000-sda read 8192 8192
101 0000-sda read 16384 4096
1001 0000-sda write 512 512
1501 0000-sda sync 0 0
1501 0000-sda close
1801 0001-8_16 add
1801 0001-8_16 open
1801 0001-8_16 read 0 4096
`,
	"t.fio": `# Replays what was recorded: fio FILE, in this directory or a copy of it (fio 3.31 or later).
# The files are made there, never where they were; those that were read are filled first.
# Requests of disks: each disk is a file of its used parts, side by side in their order.
# 2 requests are left out: failed, without a size, or of a kind that fio has not.

[make 0000-sda]
filename=0000-sda
size=20480
rw=read
bs=1,1m
create_only=1

[make 0001-8_16]
filename=0001-8_16
size=4096
rw=read
bs=1,1m
create_only=1

[replay t-direct]
# 3 reads, 1 writes and 1 syncs in 0.002 s
stonewall=1
read_iolog=t-direct.iolog
number_ios=4
ioengine=io_uring
iodepth=2
direct=1
replay_time_scale=102
`}

// Requests without calls are what fio does: in the order in which they were queued, each disk a file without its gaps.
func TestRequestsAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.iotrace")
	alone(t, path)
	to := output.Destination{Files: output.NewTree(dir, nil, nil)}
	if _, err := ExportLog(path, "t", to); err != nil {
		t.Fatal(err)
	}
	for name, want := range ofRequests {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if _, err := ExportJob(path, "like", to); err != nil {
		t.Fatal(err)
	}
	job, err := os.ReadFile(filepath.Join(dir, "like.fio"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3 reads, 1 writes, 2 files", "Requests of disks", "rw=randrw\nrwmixread=75\n",
		"bssplit=4096/67:8192/33,512/100\n", "direct=1\n", "nrfiles=2\n"} {
		if !strings.Contains(string(job), want) {
			t.Errorf("no %q in\n%s", want, job)
		}
	}
}

// fio does all of it: as many reads and writes as there are requests.
func TestRequestsAreReplayed(t *testing.T) {
	testenv.NeedTools(t, "fio")
	dir := t.TempDir()
	path := filepath.Join(dir, "t.iotrace")
	alone(t, path)
	if _, err := ExportLog(path, "t", output.Destination{Files: output.NewTree(dir, nil, nil)}); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("fio", "--output-format=terse", "--terse-version=5", "--direct=0", "--ioengine=psync", "t.fio")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(line, ";"); len(f) > 50 && f[2] == "replay t-direct" && (f[5] != "16" || f[4] != "0") {
			t.Errorf("%s KiB read, error %s: %s", f[5], f[4], line)
		}
	}
}

// What lies apart on a device lies apart in the file, in its order, and what adjoins adjoins; however few parts are told
// apart.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &places{limit: rapid.SampledFrom([]int{0, 2, 3, 8}).Draw(t, "limit")}
		type use struct{ offset, length int64 }
		uses := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) use {
			return use{rapid.Int64Range(0, 1<<22).Draw(t, "sector") * 512, rapid.Int64Range(1, 256).Draw(t, "sectors") * 512}
		}), 1, 60).Draw(t, "uses")
		total := int64(0)
		for _, u := range uses {
			p.add(u.offset, u.length)
			total += u.length + 4*unit
		}
		p.settle()
		for _, a := range uses {
			if p.at(a.offset)%unit != a.offset%unit || p.at(a.offset+a.length-1)-p.at(a.offset) != a.length-1 {
				t.Fatalf("%+v lies from %d to %d", a, p.at(a.offset), p.at(a.offset+a.length-1))
			}
			for _, b := range uses {
				if (a.offset < b.offset) != (p.at(a.offset) < p.at(b.offset)) {
					t.Fatalf("%+v and %+v change places", a, b)
				}
				if end := a.offset + a.length; (end == b.offset) != (p.at(end-1)+1 == p.at(b.offset)) {
					t.Fatalf("%+v and %+v: jumps are not the same", a, b)
				}
			}
			if p.limit == 0 && p.at(a.offset) > total {
				t.Fatalf("%+v lies at %d, with %d bytes used", a, p.at(a.offset), total)
			}
		}
	})
}
