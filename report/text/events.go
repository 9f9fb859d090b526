package text

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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
