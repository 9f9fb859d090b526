package conversion

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Inputs are what is imported: files as their tool wrote them, decompressed.
type Inputs struct {
	List   []convert.Input
	closes []func()
}

// Open opens all files before anything is written. "-" stands for standard input. What gzip or zstd has compressed
// is decompressed, whatever its name.
func Open(names []string, stdin io.Reader) (*Inputs, error) {
	in := &Inputs{}
	for _, name := range names {
		r := stdin
		if name != "-" {
			f, err := open(name)
			if err != nil {
				in.Close()
				return nil, fmt.Errorf("opening the input: %w", err)
			}
			in.closes = append(in.closes, func() { f.Close() }) // it was only read
			r = f
		}
		text, closed, err := plain(r, uint64(max(maxWindow/len(names), leastWindow)))
		if err != nil {
			in.Close()
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		in.closes = append(in.closes, closed)
		in.List = append(in.List, convert.Input{Reader: text, Name: name})
	}
	return in, nil
}

// TraceName is what the trace of an input is called: as that without its ending, and that of what compressed it.
func TraceName(input string) string {
	return tracefile.Name(strings.TrimSuffix(strings.TrimSuffix(input, ".gz"), ".zst")) + ".iotrace"
}

func open(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("open %s: is a directory", name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close closes the files.
func (in *Inputs) Close() {
	for _, f := range in.closes {
		f()
	}
}

// names lists the inputs, for messages.
func (in *Inputs) names() string {
	var list []string
	for _, i := range in.List {
		list = append(list, i.Name)
	}
	return strings.Join(list, ", ")
}

// head is the beginning of the first input that is not empty, which is read from there afterwards all the same. whole
// says that there is no more of it.
func (in *Inputs) head() (head []byte, whole bool, name string, err error) {
	for k := range in.List {
		r := bufio.NewReaderSize(in.List[k].Reader, convert.HeadSize)
		in.List[k].Reader = r
		head, err := r.Peek(convert.HeadSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, false, "", fmt.Errorf("reading %s: %w", in.List[k].Name, err)
		}
		if len(head) > 0 {
			return head, err != nil, in.List[k].Name, nil
		}
	}
	return nil, true, "", fmt.Errorf("reading %s: it is empty", in.names())
}

// Recognize finds out the format of the inputs by the beginning of the first that is not empty. They can be imported
// afterwards.
func (in *Inputs) Recognize(importers []*convert.Importer) (*convert.Importer, error) {
	head, whole, name, err := in.head()
	if err != nil {
		return nil, err
	}
	fit := convert.Recognize(head, whole, importers)
	if len(fit) == 0 {
		for _, i := range importers {
			if err := refused(i, name, head, whole); err != nil {
				return nil, err
			}
		}
	}
	return recognized(name, fit, importers)
}

// refused is why a format makes no trace of an input that begins so, nil if it may. A log that has a summary as well,
// as of strace -C, is one of its format.
func refused(i *convert.Importer, name string, head []byte, whole bool) error {
	why := recording(head)
	if why == "" && len(convert.Recognize(head, whole, []*convert.Importer{i})) == 0 {
		why = summary(head)
	}
	if why == "" && i.Refuse != nil {
		why = i.Refuse(head)
	}
	if why == "" {
		return nil
	}
	return fmt.Errorf("reading %s: %s", name, why)
}

// recognized is the one format that fits.
func recognized(name string, fit, all []*convert.Importer) (*convert.Importer, error) {
	if len(fit) == 1 {
		return fit[0], nil
	}
	why := "it is in none of the formats known: say with --from which tool made it"
	if len(fit) > 1 {
		all = fit
		why = "it could be of several tools: say with --from which one made it"
	}
	var list []string
	for _, i := range all {
		list = append(list, i.From)
	}
	return nil, fmt.Errorf("reading %s: %s (%s)", name, why, strings.Join(list, ", "))
}
