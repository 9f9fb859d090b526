package block

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

var update = flag.Bool("update", false, "write the texts of other tools anew; they must be installed")

// blkIOTrace is a record of blktrace: struct blk_io_trace of
// linux/blktrace_api.h.
type blkIOTrace struct {
	Magic, Sequence    uint32
	Time, Sector       uint64
	Bytes, Action, PID uint32
	Device, CPU        uint32
	Error, PDULen      uint16
}

// Actions and categories of linux/blktrace_api.h.
const (
	taQueue, taBackMerge, taGetRequest, taRequeue, taIssue, taComplete = 1, 2, 4, 6, 7, 8

	tcRead, tcWrite, tcFlush, tcSync, tcFS, tcNotify, tcAhead, tcMeta, tcDiscard, tcFUA = 1, 1 << 1, 1 << 2, 1 << 3,
		1 << 8, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 15
)

// blkLog writes what blktrace would.
type blkLog struct {
	bytes.Buffer
	sequence uint32
	now      uint64
}

func (l *blkLog) record(r blkIOTrace, pdu string) {
	l.sequence++
	r.Magic, r.Sequence, r.Time, r.Device, r.PDULen = 0x65617407, l.sequence, l.now, 259<<20, uint16(len(pdu))
	if err := binary.Write(l, binary.LittleEndian, r); err != nil {
		panic(err) // a buffer in memory takes everything
	}
	l.WriteString(pdu)
}

// blkHistory is a trace of blktrace with many requests under way at once, and
// what they were.
func blkHistory() (data []byte, truth []trace.Request) {
	r := rand.New(rand.NewPCG(1, 2))
	l := &blkLog{now: 1_000_000_000}
	var comm [16]byte
	copy(comm[:], "copy [1]")
	l.record(blkIOTrace{Action: 1 | tcNotify<<16}, string(make([]byte, 8))) // the wall clock
	l.record(blkIOTrace{Action: tcNotify << 16, PID: 42}, string(comm[:]))
	device := trace.MakeDeviceID(259, 0)
	kinds := []struct {
		categories uint32
		op         trace.ReqOp
		flags      trace.ReqFlags
	}{
		{tcRead, trace.ReqRead, 0}, {tcRead | tcAhead, trace.ReqRead, trace.ReqReadahead}, {tcWrite, trace.ReqWrite, 0},
		{tcWrite | tcSync, trace.ReqWrite, trace.ReqSync},
		{tcRead | tcSync | tcMeta, trace.ReqRead, trace.ReqSync | trace.ReqMeta},
		{tcWrite | tcSync | tcFUA, trace.ReqWrite, trace.ReqSync | trace.ReqFUA}, {tcDiscard | tcWrite, trace.ReqDiscard, 0},
		{tcFlush | tcWrite | tcSync, trace.ReqWrite, trace.ReqSync | trace.ReqPreflush},
	}
	start := int64(0) // of the first request, which blkparse makes time 0
	type flying struct {
		trace.Request
		categories uint32
	}
	var under []flying
	tick := func() int64 { l.now += uint64(1 + r.IntN(100_000)); return int64(l.now) }
	put := func(f *flying, action uint32, sector uint64, n int64, pid uint32, errno uint16) {
		l.record(blkIOTrace{Sector: sector, Bytes: uint32(n), Action: action | (f.categories|tcFS)<<16, PID: pid,
			Error: errno}, "")
	}
	for sector := uint64(2048); len(truth) < 150; {
		if len(under) < 32 && r.IntN(2) == 0 {
			k := kinds[r.IntN(len(kinds))]
			f := flying{trace.Request{Device: device, Sector: sector, Op: k.op, Flags: k.flags, PID: 42, TID: 42,
				Offset: trace.NoOffset}, k.categories}
			for bio := range 1 + r.IntN(4) {
				at, n := tick(), int64(1+r.IntN(256))*4096
				if bio == 0 {
					f.Queued = at
				}
				if start == 0 {
					start = at
				}
				put(&f, taQueue, sector, n, 42, 0)
				next := uint32(taGetRequest)
				if bio > 0 {
					next = taBackMerge
				}
				put(&f, next, sector, n, 42, 0)
				f.Bios++
				f.Bytes += n
				sector += uint64(n / 512)
			}
			sector += 8 // requests do not touch
			for f.Issued = tick(); ; f.Issued = tick() {
				put(&f, taIssue, f.Sector, f.Bytes, 7, 0)
				if r.IntN(10) > 0 {
					break
				}
				f.Requeues++
				tick()
				put(&f, taRequeue, f.Sector, f.Bytes, 7, 0)
			}
			under = append(under, f)
			continue
		}
		if len(under) == 0 {
			continue
		}
		i := r.IntN(len(under))
		f := under[i]
		under = append(under[:i], under[i+1:]...)
		f.Completed = tick()
		if r.IntN(20) == 0 {
			f.Error = 5
		}
		put(&f, taComplete, f.Sector, f.Bytes, 0, uint16(-f.Error))
		f.Queued, f.Issued, f.Completed = f.Queued-start, f.Issued-start, f.Completed-start
		truth = append(truth, f.Request)
	}
	return l.Bytes(), truth
}

// What blkparse prints of a trace, imported, is what the trace was made of: the
// text that is kept, and where blkparse is installed what it prints now.
func TestBlkparseOfATraceThatIsKnown(t *testing.T) {
	const golden = "testdata/blkparse.txt"
	data, truth := blkHistory()
	texts := map[string]string{}
	if tool, err := exec.LookPath("blkparse"); err == nil {
		c := exec.Command(tool, "-i", "x")
		c.Dir = t.TempDir()
		if err := os.WriteFile(filepath.Join(c.Dir, "x.blktrace.0"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		text, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		texts["printed now"] = string(text)
		if *update {
			if err := os.WriteFile(golden, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	} else if *update {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	texts["kept"] = string(kept)
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			log, c := trial.Import(t, &Blkparse, text)
			if c.Damaged != 0 || len(log.Losses) != 0 {
				t.Errorf("%+v, losses %+v", c, log.Losses)
			}
			want := &trace.Log{Requests: truth, Devices: log.Devices}
			var lives []string
			for i := range truth {
				lives = append(lives, trial.Life(want, &truth[i]))
			}
			trial.Requests(t, log, lives)
		})
	}
}
