package jsonl

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: m}.Run()) }

const (
	plainCall = `{"kind":"syscall","start":5,"duration":7,"pid":300,"tid":301,"op":"read","call":"read","flags":["direct","read"],` +
		`"fd":3,"fd2":-1,"file":1,"path":"/a","offset":0,"requested":4096,"result":-5,"filled":1,"buffer":18446744073709551615}`
	plainBlock = `{"kind":"request","queued":1,"issued":2,"completed":3,"device":266338304,"name":"vda","sector":8,"bytes":4096,` +
		`"op":"write","flags":["sync"],"pid":3,"tid":3,"owner":4,"file":1,"offset":0,"evidence":"inode","bios":1,"error":-1}`
)

// decoded is what comes of a line, read as a call and as a request.
func decoded(line string) (log trace.Log, failed [2]bool) {
	d := &decoder{sink: &log, calls: numberCalls(trace.Header{Calls: []string{"read", "write"}})}
	failed[0] = d.syscall([]byte(line)) != nil
	failed[1] = d.request([]byte(line)) != nil
	return log, failed
}

// FuzzPlain compares plain lines with the same ones with a blank in them, which encoding/json reads.
func FuzzPlain(f *testing.F) {
	for _, line := range []string{plainCall, plainBlock, `{"kind":"syscall","op":"read","call":"write","start":-0}`, `{}`,
		`{"op":"none","call":"read","pid":4294967296}`, `{"call":"read","fd":1.5,"flags":[]}`, `{"call":"read","start":01}`,
		`{"call":"read","flags":["read","bit31"]}`, `{"call":"read","START":3,"start":4,"path":"\u0041"}`, `{"call":"read"}x`,
		`{"call":"read","path":null}`, `{"call":"read",}`, `{"issued":9223372036854775808}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) == 0 || line[0] != '{' {
			return
		}
		got, failed := decoded(line)
		want, failing := decoded("{ " + line[1:])
		if diff := cmp.Diff(want, got); diff != "" || failed != failing {
			t.Errorf("%s: %v, want %v\n%s", line, failed, failing, diff)
		}
	})
}

// The lines that this program writes are plain.
func TestPlain(t *testing.T) {
	d := &decoder{calls: numberCalls(trace.Header{Calls: []string{"read", "write"}})}
	if !d.plainSyscall([]byte(plainCall)) || !d.plainRequest([]byte(plainBlock)) {
		t.Error("left to encoding/json")
	}
}
