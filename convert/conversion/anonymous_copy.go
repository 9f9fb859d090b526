package conversion

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Copy writes a trace without its names to a file of its own, which remove removes. A damaged trace is refused: the
// copy would be whole.
func (k *Key) Copy(path string) (copied string, remove func(), err error) {
	in, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	out, copied, done, err := output.Spool("")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = done() }
	if err = k.write(out, in); err != nil {
		remove()
		return "", nil, fmt.Errorf("taking the names out of %s: %w", path, err)
	}
	return copied, remove, nil
}

func (k *Key) write(out io.Writer, in io.Reader) error {
	r, err := tracefile.NewReader(in)
	if err != nil {
		return err
	}
	w, err := tracefile.NewWriter(out, k.header(r.Header()))
	if err != nil {
		return err
	}
	if err := k.events(r, w); err != nil {
		return errors.Join(err, w.Abandon())
	}
	if end, whole := r.End(); whole {
		return w.Close(k.end(end))
	}
	return w.Abandon()
}

func (k *Key) events(r *tracefile.Reader, w *tracefile.Writer) error {
	var b trace.Batch
	for {
		err := r.Next(&b)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if damage := r.Damage(); len(damage) > 0 {
			return fmt.Errorf("it is damaged (%w): share it as it is, or record again", &damage[0])
		}
		if err != nil {
			return nil
		}
		k.batch(&b)
		for e := range b.InOrder() {
			if err := w.Add(&b, e); err != nil {
				return err
			}
		}
	}
}
