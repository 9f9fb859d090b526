package jsonl

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

const begin = `{"kind":"trace","schema":1,"header":{"backend":"ebpf","os":"linux","calls":["read"]}}` + "\n"

// Each line of any text is an event, or is counted as damaged or skipped.
func FuzzImport(f *testing.F) {
	for _, line := range []string{
		`{"kind":"syscall","start":5,"duration":7,"pid":1,"tid":2,"op":"read","call":"read","flags":["direct","bit31"],` +
			`"fd":3,"file":1,"path":"/a","offset":4,"requested":5,"result":-5,"buffer":18446744073709551615}`,
		`{"kind":"asyncop","start":1,"duration":2,"api":"io_uring","op":"unknown","op_number":200}`,
		`{"kind":"request","queued":-1,"issued":4,"completed":9,"device":1,"op":"write","evidence":"inode",` +
			`"more":[{"file":2,"offset":0,"bytes":512}]}`,
		`{"kind":"process","time":1,"action":"exec","command":"x","args":["a","b"],"args_bytes":"YQBi/w=="}`,
		`{"kind":"file","file":1,"path":"\ufffd","path_bytes":"/w==","type":"file"}`,
		`{"kind":"device","device":1,"name":"vda","parents":[1,2]}`,
		`{"kind":"lost","from":1,"to":2,"count":3,"lost":"wait"}`, `{"kind":"fault"}`, `{"kind":"wait","cause":"io"}`,
		`{"kind":"end","end":{"duration":100}}`, `{"kind":"picture"}`, `{"k\u0069nd":"wait"}`, `[`, ``,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := &trace.Log{}
		c, err := Import(strings.NewReader(begin+text), func(trace.Header) (trace.Sink, error) { return log, nil })
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(len(log.Syscalls) + len(log.AsyncOps) + len(log.Faults) + len(log.Requests) + len(log.Waits) +
			len(log.Processes) + len(log.Files) + len(log.Devices) + len(log.Losses))
		if c.End != nil {
			n++
		}
		if n+c.Damaged+c.Skipped+1 != c.Lines {
			t.Fatalf("%d events and %+v", n, c)
		}
	})
}
