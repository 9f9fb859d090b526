//go:build linux

package ebpf

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// peer is another tracer that watches the same run.
type peer struct {
	t   testing.TB
	cmd *exec.Cmd
	out bytes.Buffer

	ended chan struct{} // nothing more comes
}

// watchWith starts a tracer, with tracefs mounted for it alone, and returns when it has printed that it is ready.
func watchWith(t testing.TB, ready string, args ...string) *peer {
	t.Helper()
	words := testenv.WithTracefs(args...)
	p := &peer{t: t, cmd: exec.Command(words[0], words[1:]...), ended: make(chan struct{})}
	pipe, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints bytes.Buffer
	p.cmd.Stderr = &complaints
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := make(chan bool, 1)
	go func() {
		for s := bufio.NewScanner(pipe); s.Scan(); {
			fmt.Fprintln(&p.out, s.Text())
			if strings.Contains(s.Text(), ready) {
				seen <- true
			}
		}
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
		p.cmd.Wait() // an error of its own if it was waited for
	})
	select {
	case <-seen:
	case <-p.ended:
		p.cmd.Wait()
		t.Fatalf("%q: %s", args, complaints.String())
	case <-time.After(time.Minute):
		t.Fatalf("%q said nothing for a minute: %s", args, complaints.String())
	}
	return p
}

// stop interrupts the tracer and returns what it printed.
func (p *peer) stop() string {
	p.t.Helper()
	for {
		p.cmd.Process.Signal(syscall.SIGINT)
		select {
		case <-p.ended:
			p.cmd.Wait()
			return p.out.String()
		case <-time.After(time.Second): // bpftrace forgets one that comes too early
		}
	}
}

// sidTool is the command line of a program of Debian sid, made by scripts/dtrace-sid:
// the versions of stable do not load on the kernels of today.
func sidTool(t testing.TB, name string) []string {
	t.Helper()
	root := os.Getenv("IOTRACE_SID")
	if root == "" {
		root = "/var/cache/iotrace-sid"
	}
	loader, _ := filepath.Glob(root + "/usr/lib/*-linux-gnu/ld-linux-*.so.*")
	if _, err := os.Stat(root + "/usr/sbin/" + name); err != nil || len(loader) == 0 {
		missing(t, "%s is not in %s; scripts/dtrace-sid --setup makes it", name, root)
	}
	return []string{"stdbuf", "-oL", loader[0], "--library-path", filepath.Dir(loader[0]), root + "/usr/sbin/" + name}
}

// requestsScript counts what goes to a device and comes back, by operation and size. The kernel skips a program on
// a classic tracepoint while another such program runs on the CPU (bpf_prog_active): bpftrace misses what
// happens inside completions. What it sees has to be in the recording; the libbpf tools see all.
const requestsScript = `
BEGIN { printf("ready\n"); }
tracepoint:block:block_rq_issue /args->dev == %[1]d/ { @issued[args->rwbs, args->bytes] = count(); }
tracepoint:block:block_rq_complete /args->dev == %[1]d/ { @completed[args->rwbs, args->nr_sector] = count(); }
`

// sized is an operation of a size in bytes.
type sized struct {
	op    trace.ReqOp
	bytes int64
}

// Tracers that watch the same device see the same requests: bpftrace on the tracepoints, and bitesize and
// biolatency of bcc's libbpf-tools, which keep histograms.
func TestRequestsEqualPeers(t *testing.T) {
	needBPF(t)
	needTools(t, "fio", "bpftrace")
	size, latency := sidTool(t, "bitesize-libbpf"), sidTool(t, "biolatency-libbpf")
	for name, work := range map[string][]string{
		"fio direct": {"fio", "--name=job", "--filename=data", "--size=32m", "--rw=randrw", "--bsrange=4k-256k",
			"--ioengine=io_uring", "--iodepth=16", "--direct=1", "--output=/dev/null"},
		"fio buffered": {"fio", "--name=job", "--filename=data", "--size=32m", "--rw=randrw", "--bs=8k", "--ioengine=psync",
			"--fsync=64", "--output=/dev/null"},
		"files": workload.Args("write", ".", "1", "33554432", "65536", "fsync"),
	} {
		t.Run(name, func(t *testing.T) {
			for range 12 {
				rec, d, texts, clean := watchedByAll(t, size, latency, work)
				if clean {
					compareWithPeers(t, rec, d, texts)
					return
				}
			}
			missing(t, "the device was never at rest while the tracers attached, or process 1 had the CPU at completions")
		})
	}
}

// watchedByAll records a program that all the tracers watch, and returns what they printed. The run is clean if
// nothing else happened on the device while they attached, and no request completed unseen by all (see hidden).
func watchedByAll(t *testing.T, size, latency, work []string) (rec *recording, d *disk, texts []string, clean bool) {
	d = newDisk(t, imageSize)
	d.format("ext4")
	dir := d.mount("ext4", "")
	defer unmount(t, dir)
	run(t, "sync", "-f", dir)
	idle := d.stats()
	peers := []*peer{
		watchWith(t, "ready", "bpftrace", "-f", "json", "-e", fmt.Sprintf(requestsScript, d.id)),
		watchWith(t, "Tracing", append(size, "-d", d.name)...),
		watchWith(t, "Tracing", append(latency, "-d", d.name)...),
	}
	time.Sleep(time.Second) // bpftrace attaches after BEGIN; who attaches disturbs who records
	s := begin(t, Options{}, tracer.Scope{All: true})
	clean = maps.Equal(d.stats().Requests, idle.Requests)
	c := d.watch()
	run(t, append([]string{"env", "-C", dir}, work...)...)
	run(t, "sync", "-f", dir)
	c.stop()
	rec = s.endBeside(d.id)
	for _, p := range peers {
		texts = append(texts, p.stop())
	}
	return rec, d, texts, clean && c.unseen == 0
}

func compareWithPeers(t *testing.T, rec *recording, d *disk, texts []string) {
	ours, kib, us := map[sized]int{}, map[int]int{}, []int64{}
	for _, q := range rec.requests(d.id) {
		ours[sized{q.Op, q.Bytes}]++
		kib[power(q.Bytes/1024)]++
		us = append(us, q.Latency()/1000)
	}
	issued, completed := parseRequests(t, texts[0])
	delete(completed, sized{trace.ReqWrite, 0}) // waited for a flush, and never went to the device
	atIssue, atCompletion := covered(t, ours, issued), covered(t, ours, completed)
	t.Logf("%d requests of %d sizes, of which bpftrace saw %d issued and %d completed", len(us), len(ours), atIssue,
		atCompletion)
	if theirs := parseHistogram(t, texts[1]); !maps.Equal(kib, theirs) {
		t.Errorf("sizes by powers of two KiB: recorded %v, bitesize %v", kib, theirs)
	}
	compareLatencies(t, us, parseHistogram(t, texts[2]))
}

// covered counts the requests of a recording that bpftrace saw too. It may have seen no others.
func covered(t *testing.T, ours, theirs map[sized]int) (n int) {
	t.Helper()
	for s, seen := range theirs {
		if n += seen; seen > ours[s] {
			t.Errorf("recorded %d requests %v, bpftrace saw %d", ours[s], s, seen)
		}
	}
	return n
}

// parseRequests reads what requestsScript printed.
func parseRequests(t testing.TB, text string) (issued, completed map[sized]int) {
	t.Helper()
	issued, completed = map[sized]int{}, map[sized]int{}
	for line := range strings.Lines(text) {
		var entry struct {
			Type string
			Data map[string]json.RawMessage
		}
		if json.Unmarshal([]byte(line), &entry) != nil {
			continue
		}
		for unit, counts := range map[string]map[sized]int{"@issued": issued, "@completed": completed} {
			var list map[string]int
			if json.Unmarshal(entry.Data[unit], &list) != nil {
				continue
			}
			for key, n := range list {
				rwbs, amount, _ := strings.Cut(key, ",")
				bytes, err := strconv.ParseInt(amount, 10, 64)
				if err != nil {
					t.Fatalf("bpftrace printed %q", key)
				}
				if unit == "@completed" {
					bytes *= 512
				}
				counts[sized{operationOf(t, rwbs), bytes}] += n
			}
		}
	}
	return issued, completed
}

// operationOf reads the letters that blk_fill_rwbs writes (Linux, kernel/trace/blktrace.c): an F
// in front is a flush that goes before the operation.
func operationOf(t testing.TB, rwbs string) trace.ReqOp {
	t.Helper()
	letters := strings.TrimPrefix(rwbs, "F")
	for prefix, op := range map[string]trace.ReqOp{"R": trace.ReqRead, "W": trace.ReqWrite, "D": trace.ReqDiscard,
		"F": trace.ReqFlush} {
		if strings.HasPrefix(letters, prefix) {
			return op
		}
	}
	t.Fatalf("bpftrace saw an operation %q", rwbs)
	return 0
}

var histogramLine = regexp.MustCompile(`^\s*(\d+) -> (\d+)\s*: (\d+)\s*\|`)

// parseHistogram adds up the histograms that a tool of bcc printed, by the power of two of their bins.
func parseHistogram(t testing.TB, text string) map[int]int {
	t.Helper()
	bins := map[int]int{}
	for line := range strings.Lines(text) {
		if m := histogramLine.FindStringSubmatch(line); m != nil {
			to, _ := strconv.Atoi(m[2])
			if n, _ := strconv.Atoi(m[3]); n > 0 {
				bins[power(int64(to))] += n
			}
		}
	}
	if len(bins) == 0 {
		t.Fatalf("no histogram in %q", text)
	}
	return bins
}

// power is the number of the bin that holds a value: 1 for 0 and 1, 2 for 2 and 3, 3 for 4 to 7.
func power(v int64) int { return bits.Len64(uint64(max(v, 1))) }

// compareLatencies compares latencies in µs with biolatency's histogram. Each request is in both, but each
// tracer reads the clock for itself: a few lie on the other side of a border.
func compareLatencies(t *testing.T, us []int64, theirs map[int]int) {
	t.Helper()
	ours, total, all := map[int]int{}, 0, 0
	for _, v := range us {
		ours[power(v)]++
	}
	for _, n := range theirs {
		total += n
	}
	moved := 0
	for bin := range 64 {
		all += ours[bin] - theirs[bin]
		moved += max(all, -all)
	}
	t.Logf("latencies: %d recorded, %d by biolatency; %d of them one bin apart", len(us), total, moved)
	if total != len(us) || moved*10 > total {
		t.Errorf("latencies in powers of two of a µs: recorded %v, biolatency %v", ours, theirs)
	}
}
