package text

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/convert/jsonl"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// EventOptions say what is printed, and how.
type EventOptions struct {
	Kinds []trace.Kind // of the events to print; none: all
	JSON  bool         // one object per line
}

// kinds are all that can be printed.
var kinds = []trace.Kind{
	trace.KindSyscall, trace.KindAsyncOp, trace.KindFault, trace.KindRequest, trace.KindRPC, trace.KindWait,
	trace.KindProcess, trace.KindFile, trace.KindDevice, trace.KindLost,
}

// ParseKinds finds kinds by their names.
func ParseKinds(names []string) ([]trace.Kind, error) {
	var found []trace.Kind
	for _, name := range names {
		i := slices.IndexFunc(kinds, func(k trace.Kind) bool { return k.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown kind %q (want %s)", name, strings.Join(kindNames(), ", "))
		}
		found = append(found, kinds[i])
	}
	return found, nil
}

func kindNames() []string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.String())
	}
	return all
}

// PrintEvents writes the events of a trace of which nothing has been read yet, in the
// order in which they ended. Kinds that it does not need are not decoded.
func PrintEvents(w io.Writer, r *tracefile.Reader, o EventOptions) error {
	if len(o.Kinds) == 0 {
		o.Kinds = kinds
	}
	r.Only(append([]trace.Kind{trace.KindFile, trace.KindDevice}, o.Kinds...)...) // the first two have the names
	known := schema.NewResolver(r.Header())
	lines := textLines{newLineNames(known, r.Header())}.append
	if o.JSON {
		lines = jsonl.NewEncoder(r.Header(), known).Append
	}
	var (
		b    trace.Batch
		line []byte
	)
	for {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		known.Learn(&b)
		for e := range b.InOrder() {
			if !slices.Contains(o.Kinds, e.Kind) {
				continue
			}
			line = append(lines(line[:0], &b, e), '\n')
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
}

// lineNames are names as lines of text show them.
type lineNames struct {
	*schema.Resolver
	errnos bool // the trace's error numbers are this system's
}

func newLineNames(n *schema.Resolver, h trace.Header) lineNames {
	return lineNames{n, h.OS == runtime.GOOS}
}

// errno is the name of an error number, "" if it cannot be known.
func (n lineNames) errno(e int64) string {
	if !n.errnos || e <= 0 || e > 4095 {
		return ""
	}
	return unix.ErrnoName(unix.Errno(e))
}

// appendFile appends the quoted name of a file, its number if the name is not known.
func (n lineNames) appendFile(b []byte, id trace.FileID) []byte {
	if path, ok := n.Path(id); ok {
		return strconv.AppendQuote(b, path)
	}
	return strconv.AppendUint(append(b, '#'), uint64(id), 10)
}

// appendResult appends " = 4096" or " = -2 ENOENT".
func (n lineNames) appendResult(b []byte, result int64) []byte {
	b = strconv.AppendInt(append(b, " = "...), result, 10)
	if name := n.errno(-result); name != "" {
		b = append(append(b, ' '), name...)
	}
	return b
}

// rest are the fields of a type of events that have a word of their own at the end of its lines: those that the
// sentence before does not tell.
type rest []func(b []byte, e unsafe.Pointer) []byte

// rests are indexed by Kind. They are found out when the first line is written: most commands write none.
var rests = sync.OnceValue(func() *[trace.NumKinds]rest {
	var all [trace.NumKinds]rest
	for k, e := range []any{trace.KindSyscall: trace.Syscall{}, trace.KindAsyncOp: trace.AsyncOp{},
		trace.KindFault: trace.Fault{}, trace.KindRequest: trace.Request{}, trace.KindWait: trace.Wait{},
		trace.KindProcess: trace.Process{}, trace.KindFile: trace.File{}, trace.KindDevice: trace.Device{},
		trace.KindLost: trace.Lost{}, trace.KindRPC: trace.RPC{}} {
		if e != nil {
			all[k] = restOf(reflect.TypeOf(e))
		}
	}
	return &all
})

// appendRest appends them, unless they have the value of none.
func appendRest[E any](b []byte, k trace.Kind, e *E) []byte {
	for _, add := range rests()[k] {
		b = add(b, unsafe.Pointer(e))
	}
	return b
}

func restOf(event reflect.Type) (all rest) {
	for _, f := range schema.Of(event) {
		switch {
		case f.Word == "":
		case f.Class == schema.Text:
			all = append(all, func(b []byte, e unsafe.Pointer) []byte {
				text := *(*string)(unsafe.Add(e, f.Offset))
				if f.Omit != nil && text == "" {
					return b
				}
				return strconv.AppendQuote(append(b, " "+f.Word+" "...), text)
			})
		default:
			get := f.Get(event)
			all = append(all, func(b []byte, e unsafe.Pointer) []byte {
				n := get(e)
				if f.Omit != nil && n == *f.Omit {
					return b
				}
				return strconv.AppendInt(append(b, " "+f.Word+" "...), n, 10)
			})
		}
	}
	return all
}
