package dtrace_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/dtrace"
	"github.com/iotrace/iotrace/tracer/ebpf"
	"github.com/iotrace/iotrace/tracer/eventlog"
)

func TestMain(m *testing.M) {
	tracer.RunHeld()
	os.Exit(m.Run())
}

// program is the dtrace that `make test-dtrace` names: these tests need root
// and a DTrace 2.x, and take minutes.
func program(t *testing.T) string {
	t.Helper()
	p := os.Getenv("IOTRACE_DTRACE")
	if p == "" {
		t.Skip("IOTRACE_DTRACE does not name a dtrace; run `make test-dtrace`")
	}
	return p
}

// record runs a command under both DTrace and the eBPF backend.
func record(t *testing.T, o dtrace.Options, args ...string) (d, e *eventlog.Log, sd *dtrace.Source, se tracer.Source) {
	t.Helper()
	o.Program = program(t)
	w, err := tracer.Launch(tracer.Command{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abandon()
	scope := tracer.Scope{Launch: uint32(w.PID())}
	bpf, err := ebpf.New(ebpf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer bpf.Close()
	src, err := dtrace.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := src.Attach(scope); err != nil {
		t.Fatal(err)
	}
	if err := bpf.Attach(scope); err != nil {
		t.Fatal(err)
	}
	d, e = &eventlog.Log{}, &eventlog.Log{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 2)
	go func() { done <- src.Record(ctx, d) }()
	go func() { done <- bpf.Record(ctx, e) }()
	if err := w.Release(); err != nil {
		t.Fatal(err)
	}
	if code := w.ExitCode(); code != 0 {
		t.Fatalf("%q ended with %d", args, code)
	}
	time.Sleep(300 * time.Millisecond) // writes of its last moments go to the disk
	cancel()
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	return d, e, src, bpf
}

// paths gives each file the path it has in a log; what is no file of the disk
// has none, because descriptors alone do not tell pipes apart.
func paths(l *eventlog.Log) map[trace.FileID]string {
	m := map[trace.FileID]string{}
	for _, f := range l.Files {
		if f.Type != trace.FilePipe && f.Type != trace.FileSocket && f.Type != trace.FileAnon && strings.HasPrefix(f.Path, "/") {
			m[f.ID] = f.Path
		}
	}
	return m
}

// calls counts the calls of a log by everything that both backends know.
func calls(l *eventlog.Log, names []string, skipPaths bool) map[string]int {
	p, m := paths(l), map[string]int{}
	for i := range l.Syscalls {
		e := &l.Syscalls[i]
		if e.Op == trace.OpStat || e.Op == trace.OpXattr || e.Op == trace.OpIoctl {
			e.Requested = 0
		}
		if e.Flags&trace.FlagVectored != 0 {
			e.Requested = max(e.Result, 0) // DTrace does not see the lengths
		}
		key := fmt.Sprintf("%d %s fd=%d req=%d = %d", e.PID, names[e.Call], e.FD, e.Requested, e.Result)
		if !skipPaths {
			key += fmt.Sprintf(" %s %s", p[e.File], p[e.File2])
			if p[e.File] != "" && e.Op.MovesData() {
				key += fmt.Sprintf(" at %d", e.Offset)
			}
		}
		m[key]++
	}
	return m
}

func diff(t *testing.T, what string, want, got map[string]int) {
	t.Helper()
	shown := 0
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if d := want[k] - got[k]; d > 0 {
			if shown++; shown <= 15 {
				t.Errorf("%s: DTrace misses %d× %s", what, d, k)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(got)) {
		if d := got[k] - want[k]; d > 0 {
			if shown++; shown <= 30 {
				t.Errorf("%s: only DTrace has %d× %s", what, d, k)
			}
		}
	}
	if shown > 0 {
		t.Errorf("%s: %d kinds of calls differ", what, shown)
	}
}

func bytesOf(l *eventlog.Log) (n int64) {
	for i := range l.Syscalls {
		n += l.Syscalls[i].Bytes()
	}
	return n
}

// workloads are commands on prepared inputs in the current directory.
var workloads = []struct{ name, setup, command string }{
	{"cp", "head -c 10485883 /dev/urandom >in", "cp in out"},
	{"cp without copy_file_range", "head -c 3145728 /dev/urandom >in", "cp --reflink=never --sparse=never in out"},
	{"cp -r", "for i in $(seq 200); do mkdir -p tree/d$((i%20)); head -c $((100+i*37)) /dev/urandom >tree/d$((i%20))/f$i; done", "cp -r tree out"},
	{"dd buffered", "head -c 10485760 /dev/urandom >in", "dd if=in of=out bs=64k conv=fsync status=none"},
	{"dd direct", "head -c 10485760 /dev/urandom >in", "dd if=in of=out bs=1M iflag=direct oflag=direct status=none"},
	{"rsync", "for i in $(seq 60); do mkdir -p tree/d$((i%7)); head -c $((100+i*137)) /dev/urandom >tree/d$((i%7))/f$i; done", "rsync -a tree/ out"},
	{"tar", "for i in $(seq 100); do mkdir -p tree/d$((i%7)); head -c $((100+i*137)) /dev/urandom >tree/d$((i%7))/f$i; done", "tar cf out.tar tree && mkdir x && tar xf out.tar -C x"},
	{"sqlite", "{ echo 'create table t(a integer primary key, b text);'; echo 'begin;'; for i in $(seq 3000); do echo \"insert into t(b) values('row $i');\"; done; echo 'commit;'; } >in.sql", "sqlite3 db <in.sql"},
	{"python shutil", "head -c 10485765 /dev/urandom >in", "/usr/bin/python3 -I -S -c \"import shutil; shutil.copyfile('in', 'out')\""},
	{"threads", "", "/usr/bin/python3 -I -S -c \"\nimport threading, os\ndef work(i):\n    f = os.open('t%d' % i, os.O_RDWR | os.O_CREAT)\n    for j in range(200):\n        os.pwrite(f, b'x' * 4096, j * 8192)\n        os.write(f, b'y' * 100)\n        os.pread(f, 512, j * 512)\n    os.close(f)\nt = [threading.Thread(target=work, args=(i,)) for i in range(8)]\n[x.start() for x in t]\n[x.join() for x in t]\n\""},
	{"names", "", "mkdir 'a b' && echo x >'a b/t\tab' && mv 'a b/t\tab' 'a b/n\n\"q\\é' && cd 'a b' && ln -s \"$PWD\" l && cat l/n* >/dev/null && sleep 2 && rm -r l n*"},
}

// The same run, seen by both: every call, file, offset, length and result.
func TestCallsEqualThoseOfEBPF(t *testing.T) {
	program(t)
	for _, w := range workloads {
		t.Run(w.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			if out, err := exec.Command("bash", "-c", w.setup).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			d, e, sd, se := record(t, dtrace.Options{}, "/bin/sh", "-c", w.command)
			diff(t, w.name, calls(e, se.Calls(), false), calls(d, sd.Calls(), false))
			if n, m := bytesOf(d), bytesOf(e); n != m {
				t.Errorf("%d bytes by DTrace, %d by eBPF", n, m)
			}
			if n := sd.Stats().Lost[trace.KindSyscall]; n > 0 { // ends of disk requests are another matter
				t.Errorf("DTrace lost %d calls", n)
			}
			t.Logf("%d calls, %d bytes, %d files; %d processes by DTrace, %d by eBPF", len(d.Syscalls), bytesOf(d), len(d.Files), len(d.Processes), len(e.Processes))
		})
	}
}

func TestScriptsCompile(t *testing.T) {
	p := program(t)
	for _, c := range []struct {
		platform dtrace.Platform
		able     dtrace.Capability
	}{
		{dtrace.Linux, dtrace.Capability{}}, {dtrace.Linux, dtrace.Capability{IO: true}}, {dtrace.Linux, dtrace.Capability{Proc: true}},
		{dtrace.Linux, dtrace.Capability{IO: true, Proc: true}},
		// Names of macOS match no probe here, but must compile; its io provider
		// has an argument that Linux lacks.
		{dtrace.Darwin, dtrace.Capability{}}, {dtrace.Darwin, dtrace.Capability{Proc: true}},
	} {
		for _, scope := range []tracer.Scope{{Launch: 1}, {All: true}, {Names: []string{"Finder", "DesktopServicesHelper", `q"\uote`}, PIDs: []uint32{5}}} {
			script := dtrace.Script(dtrace.Parameters{Platform: c.platform, Capability: c.able, Scope: scope, Recorder: 1, BufferKiB: 64})
			if c.platform == dtrace.Darwin {
				script = strings.Replace(script, "#pragma D option cleanrate=50hz\n", "", 1) // not known here
			}
			cmd := exec.Command(p, "-Z", "-e", "-s", "/dev/stdin")
			cmd.Stdin = strings.NewReader(script)
			if out, err := cmd.CombinedOutput(); err != nil {
				name := filepath.Join(os.TempDir(), "failed.d")
				_ = os.WriteFile(name, []byte(script), 0o644)
				t.Errorf("%s %s %+v: %v: %s (script in %s)", c.platform, c.able, scope, err, out, name)
			}
		}
	}
}

// span is a range of sectors that one request covers.
type span struct{ from, to uint64 }

// cover joins the sectors of a log's requests of one direction that a process
// queued on a device.
func cover(l *eventlog.Log, pid uint32, dev trace.DeviceID, op trace.ReqOp) (joined []span) {
	var all []span
	for i := range l.Requests {
		if q := &l.Requests[i]; q.PID == pid && q.Device == dev && q.Op == op && q.Bytes > 0 {
			all = append(all, span{q.Sector, q.Sector + uint64(q.Bytes)/512})
		}
	}
	slices.SortFunc(all, func(a, b span) int { return int(int64(a.from - b.from)) })
	for _, s := range all {
		if n := len(joined); n > 0 && s.from <= joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, s.to)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// Direct reads and writes reach the disk as the process issues them: both see
// the same sectors, however the requests were merged or split, less those whose
// end DTrace did not see.
func TestRequestsCoverTheSectorsOfEBPF(t *testing.T) {
	program(t)
	t.Chdir(t.TempDir())
	if out, err := exec.Command("sh", "-c", "head -c 8388608 /dev/urandom >in && sync").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	d, e, sd, _ := record(t, dtrace.Options{}, "dd", "if=in", "of=out", "bs=256k", "iflag=direct", "oflag=direct", "status=none")
	pid, compared, all := d.Processes[0].PID, 0, 0
	devices := map[trace.DeviceID]bool{}
	for i := range e.Requests {
		if e.Requests[i].PID == pid && e.Requests[i].Flags&trace.ReqBioBased == 0 {
			devices[e.Requests[i].Device] = true
		}
	}
	for dev := range devices {
		for _, op := range []trace.ReqOp{trace.ReqRead, trace.ReqWrite} {
			want, got := cover(e, pid, dev, op), cover(d, pid, dev, op)
			for _, s := range got {
				compared += int(s.to-s.from) * 512
				if !slices.ContainsFunc(want, func(w span) bool { return w.from <= s.from && s.to <= w.to }) {
					t.Errorf("device %d:%d, %s: DTrace has sectors %v, eBPF %v", dev.Major(), dev.Minor(), op, s, want)
				}
			}
			for _, s := range want {
				all += int(s.to-s.from) * 512
			}
		}
	}
	// What DTrace did not see the end of it counts as lost.
	lost := int(sd.Stats().Lost[trace.KindRequest])
	if all < 2*8<<20 || compared < all/2 || all-compared > lost*256<<10 {
		t.Errorf("%d bytes of requests by eBPF, %d by DTrace, which lost %d requests", all, compared, lost)
	}
	for i := range d.Requests {
		if q := &d.Requests[i]; q.PID == pid && q.Completed < q.Issued {
			t.Errorf("a request ends before it begins: %+v", q)
		}
	}
	t.Logf("%d requests by DTrace, %d by eBPF, %d of %d bytes of this process compared, %d requests lost", len(d.Requests), len(e.Requests), compared, all, lost)
	if n := sd.Stats().Lost[trace.KindSyscall]; n > 0 {
		t.Errorf("%d lost", n)
	}
}

// With a tiny buffer DTrace drops lines, and says how many: together with what
// was recorded that is everything. Only the ticks, ten a second on each CPU, may
// be among the dropped lines as well.
func TestLossesAreCounted(t *testing.T) {
	program(t)
	t.Chdir(t.TempDir())
	d, e, sd, _ := record(t, dtrace.Options{Buffer: 64 << 10, Without: dtrace.Capability{IO: true, Proc: true}},
		"dd", "if=/dev/zero", "of=/dev/null", "bs=512", "count=20000", "status=none")
	lost := int(sd.Stats().Lost[trace.KindSyscall])
	missing := len(e.Syscalls) - len(d.Syscalls)
	seconds := int(e.Syscalls[len(e.Syscalls)-1].End()/1e9) + 2
	if lost == 0 || lost < missing || lost > missing+10*seconds*64 {
		t.Errorf("%d calls by DTrace and %d dropped, %d by eBPF: %d are missing", len(d.Syscalls), lost, len(e.Syscalls), missing)
	}
	sum := uint64(0)
	for _, l := range d.Losses {
		sum += l.Count
	}
	if int(sum) != lost {
		t.Errorf("events tell of %d lost, statistics of %d", sum, lost)
	}
	t.Logf("%d recorded + %d dropped lines, %d by eBPF", len(d.Syscalls), lost, len(e.Syscalls))
}
