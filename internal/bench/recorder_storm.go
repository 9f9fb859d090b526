//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer/ebpf"
)

// recorder is a tool under which a storm of system calls runs.
type recorder struct {
	name  string
	words []string
	part  int // the slow ones do this part of the work: 8 is an eighth
	needs string
	floor bool // two empty programs instead of a tool
}

// storm compares the time that recording adds to a read and a write of 512
// bytes each between /dev/zero and /dev/null, where the calls themselves cost
// next to nothing: the worst case for any tracer.
func storm(b *session) error {
	trace := b.dir + "/storm.iotrace"
	recorders := append([]recorder{
		{name: "two empty programs (the floor)", part: 1, floor: true},
		{name: "iotrace record", words: []string{b.tool, "record", "--quiet", "-f", "-o", trace, "--"}, part: 1},
		b.perfRecord("raw_syscalls", 8, "raw_syscalls:*"),
		{name: "bpftrace, one line per call", words: []string{b.self, "__bpftrace"}, part: 8, needs: "bpftrace"},
	}, b.textTracers()...)
	added := map[string]sample{}
	var bareCall, ratio sample
	for range b.rounds {
		bare, err := ddCall(b, nil, 1)
		if err != nil {
			return err
		}
		bareCall = append(bareCall, bare)
		var floor float64
		for _, r := range recorders {
			if r.needs != "" && !installed(r.needs) {
				continue
			}
			call, err := stormUnder(b, r)
			if err != nil {
				fmt.Fprintf(os.Stderr, "  %s left out: %v\n", r.name, err)
				continue
			}
			added[r.name] = append(added[r.name], call-bare)
			switch {
			case r.floor:
				floor = call - bare
			case r.words[0] == b.tool && floor > 0:
				ratio = append(ratio, (call-bare)/floor)
			}
		}
	}
	b.printf("\n### A storm of system calls\n\n`dd if=/dev/zero of=/dev/null bs=512 count=2M`: the time that each "+
		"recorder adds to a call, %d rounds. The bare call takes %.3f µs.\n\n"+
		"| recorder | added to a call, µs | times the floor |\n|---|---|---|\n", b.rounds,
		bareCall.median())
	floor := added[recorders[0].name].median()
	for _, r := range recorders {
		s := added[r.name]
		if len(s) == 0 {
			b.printf("| %s | not installed or refused | |\n", r.name)
			continue
		}
		b.printf("| %s | %.3f (%.3f to %.3f) | %.1f × |\n", r.name, s.median(), s.quantile(.25), s.quantile(.75),
			s.median()/floor)
	}
	b.printf("\niotrace over the floor, round by round: %.2f × (%.2f to %.2f); goal: 2 ×.\n", ratio.median(),
		ratio.quantile(.25), ratio.quantile(.75))
	return traceFacts(b, trace, "the storm")
}

func stormUnder(b *session, r recorder) (float64, error) {
	if !r.floor {
		return ddCall(b, r.words, r.part)
	}
	detach, err := ebpf.Floor()
	if err != nil {
		return 0, err
	}
	defer detach()
	return ddCall(b, nil, r.part)
}

// perfRecord is perf, which writes down events.
func (b *session) perfRecord(what string, part int, events string) recorder {
	words := testenv.WithTracefs("perf", "record", "-q", "-e", events, "-o", b.dir+"/perf.data", "--")
	return recorder{name: "perf record (" + what + ")", words: words, part: part, needs: "perf"}
}

// textTracers are those that print a line for each call.
func (b *session) textTracers() []recorder {
	return []recorder{
		{name: "perf trace", words: testenv.WithTracefs("perf", "trace", "-o", b.dir+"/perf.txt", "--"), part: 64,
			needs: "perf"},
		{name: "strace -f -y", words: []string{"strace", "-f", "-y", "-o", b.dir + "/strace.txt"}, part: 64,
			needs: "strace"},
	}
}

// ddCall is the time per call in µs, of a part of the storm; dd makes two calls per block.
func ddCall(b *session, tracer []string, part int) (float64, error) {
	records := (2 << 20) / part
	dd := []string{"dd", "if=/dev/zero", "of=/dev/null", "bs=512", "count=" + strconv.Itoa(records), "status=none"}
	var t timing
	var err error
	if len(tracer) == 2 && tracer[1] == "__bpftrace" {
		t, err = underBpftrace(b, dd)
	} else {
		t, err = b.under(tracer, dd)
	}
	return t.took.Seconds() * 1e6 / float64(2*records), err
}

// underBpftrace prints one line per finished call of dd: what a bpftrace user
// would write to get a trace.
func underBpftrace(b *session, command []string) (timing, error) {
	script := `tracepoint:raw_syscalls:sys_enter /comm == "dd"/ { @s[tid] = nsecs; }
tracepoint:raw_syscalls:sys_exit /@s[tid]/ { printf("%d %d %d %d %d\n",
		nsecs, nsecs - @s[tid], tid, args->id, args->ret);
	delete(@s[tid]); }
BEGIN { printf("ready\n"); }`
	out, err := os.Create(b.dir + "/bpftrace.txt")
	if err != nil {
		return timing{}, err
	}
	defer out.Close()
	cmd := b.command(testenv.WithTracefs("bpftrace", "-e", script)...)
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		return timing{}, err
	}
	defer func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() }()
	for range 300 {
		if st, err := out.Stat(); err == nil && st.Size() > 0 {
			return b.under(nil, command)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return timing{}, errors.New("bpftrace did not attach within 30 s")
}
