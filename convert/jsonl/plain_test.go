package jsonl

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

const plainOthers = `{"kind":"request","issued":2,"completed":3,"device":1,"name":"1","op":"read","evidence":"none","bios":1,` +
	`"more":[{"file":2,"path":"/b","offset":0,"bytes":512},{"file":3,"bytes":512}]}
{"kind":"wait","start":1,"duration":2,"pid":3,"tid":4,"cause":"io","ready":1,"by":"request","completed":2,"flags":["helper"]}
{"kind":"asyncop","start":5,"duration":7,"pid":1,"tid":1,"api":"io_uring","op":"read","requested":3,"result":3}
{"kind":"fault","start":1,"duration":2,"pid":3,"tid":4,"file":1,"path":"/a","offset":0,"filled":4096}
{"kind":"process","time":1,"action":"exec","pid":2,"tid":2,"parent":1,"command":"cp","args":["cp","","b"],"exe":"/bin/cp","uid":0}
{"kind":"file","time":1,"file":1,"path":"/a","device":1,"size":5,"type":"file","flags":["deleted"]}
{"kind":"device","time":1,"device":8388608,"major":8,"minor":0,"name":"sda","rotational":true,"parents":[1,2],"firmware":"1"}
{"kind":"lost","from":1,"to":2,"count":3,"lost":"wait","cpu":0}`

// decoded is what comes of a line, read as an event of each kind.
func decoded(text string) (log trace.Log, failed [trace.NumKinds]bool) {
	d := &decoder{lines: layouts(), sink: &log, calls: numberCalls(trace.Header{Calls: []string{"read", "write"}})}
	for k, l := range d.lines.of {
		if l != nil {
			_, err := d.event(trace.Kind(k).String(), []byte(text))
			failed[k] = err != nil
		}
	}
	return log, failed
}

// FuzzPlain compares plain lines with the same ones with a blank in them, which encoding/json reads.
func FuzzPlain(f *testing.F) {
	for _, line := range append(strings.Split(plainOthers, "\n"), plainCall, plainBlock,
		`{"kind":"syscall","op":"read","call":"write","start":-0}`, `{}`, `{"more":[]}`, `{"more":[{}]}`, `{"parents":[1,]}`,
		`{"op":"none","call":"read","pid":4294967296}`, `{"call":"read","fd":1.5,"flags":[]}`, `{"call":"read","start":01}`,
		`{"call":"read","flags":["read","bit31"]}`, `{"call":"read","START":3,"start":4,"path":"\u0041"}`, `{"call":"read"}x`,
		`{"call":"read","path":null}`, `{"call":"read",}`, `{"issued":9223372036854775808}`, `{"rotational":1}`,
		`{"kind":[{"a":1}]}`) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) == 0 || line[0] != '{' {
			return
		}
		got, failed := decoded(line)
		want, failing := decoded("{ " + line[1:])
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || failed != failing {
			t.Errorf("%s: %v, want %v\n%s", line, failed, failing, diff)
		}
	})
}

// The lines that this program writes are plain.
func TestPlain(t *testing.T) {
	d := &decoder{lines: layouts(), calls: numberCalls(trace.Header{Calls: []string{"read", "write"}})}
	for _, text := range append(strings.Split(plainOthers, "\n"), plainCall, plainBlock) {
		kind, err := kindOf([]byte(text))
		l := d.lines.of[d.lines.kinds[kind]]
		if d.text = (plain{line: []byte(text)}); err != nil || !l.readPlain(d, l.make()) || !d.text.ended() {
			t.Errorf("left to encoding/json: %s", text)
		}
	}
}
