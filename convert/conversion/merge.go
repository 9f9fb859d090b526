package conversion

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Part is a trace that goes into the merged one.
type Part struct {
	Path string
	Name string        // to call the host by; "": as the trace does
	Late time.Duration // how much the clock of the host was behind those of the others, as far as the user knows
}

// Merged is what came of a merge.
type Merged struct {
	Hosts  []Host
	Clocks string // how well the times of the hosts compare
}

// Host is where a trace was recorded.
type Host struct {
	Name   string
	From   time.Duration // when its recording began, from the start of the first one
	Events uint64
}

// maxHosts is how many there can be: their numbers are put above those of processes.
const maxHosts = 1 << (32 - pidBits)

// ErrClock means that a trace does not know when it was recorded.
var ErrClock = errors.New("the trace does not know when it was recorded")

// Merge writes one trace of several. A damaged one is refused: the merged one would be whole.
func Merge(out io.Writer, parts []Part, tool string) (_ *Merged, err error) {
	if len(parts) < 2 || len(parts) > maxHosts {
		return nil, fmt.Errorf("want between 2 and %d traces, not %d", maxHosts, len(parts))
	}
	hosts, err := openParts(parts)
	defer func() {
		for _, h := range hosts {
			h.file.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	header, err := header(hosts, tool)
	if err != nil {
		return nil, err
	}
	w, err := tracefile.NewWriter(out, header)
	if err != nil {
		return nil, err
	}
	if err := events(w, hosts); err != nil {
		return nil, errors.Join(err, w.Abandon())
	}
	if err := w.Close(end(hosts)); err != nil {
		return nil, err
	}
	return result(hosts), nil
}

// openParts opens the traces and finds out when each began.
func openParts(parts []Part) (hosts []*host, err error) {
	shared := newNumbers()
	for i, p := range parts {
		f, err := tracefile.Open(p.Path)
		if err != nil {
			return hosts, err
		}
		h := &host{number: uint32(i), part: p, file: f, header: f.Header(), shared: shared,
			files: map[trace.FileID]trace.FileID{}, threads: map[uint32]uint32{}, devices: map[trace.DeviceID]trace.DeviceID{},
			held: map[uint64][]trace.DeviceID{}}
		hosts = append(hosts, h)
		end, _ := f.End()
		for _, holder := range end.Holders {
			h.held[holder.Inode] = nil
		}
		for _, s := range end.Accepted {
			h.held[s.Inode] = nil
		}
		if h.header.WallStart.IsZero() || h.header.WallStart.Unix() <= 0 {
			return hosts, fmt.Errorf("%s: %w: it cannot be put beside others", p.Path, ErrClock)
		}
	}
	name(hosts)
	return hosts, align(hosts)
}

// events writes those of all hosts, in the order in which they ended.
func events(w *tracefile.Writer, hosts []*host) error {
	for _, h := range hosts {
		next, stop := iter.Pull2(h.events())
		defer stop()
		h.next = next
	}
	return convert.All(hosts, func(h *host) error {
		h.written++
		h.last = max(h.last, h.head.Time)
		return w.Add(&h.batch, h.head)
	})
}

func result(hosts []*host) *Merged {
	r := &Merged{Clocks: clocks(hosts)}
	for _, h := range hosts {
		r.Hosts = append(r.Hosts, Host{Name: h.name, From: time.Duration(h.shift), Events: h.written})
	}
	return r
}

// Parts are traces with what the user says of them, as FILE=NAME and FILE=TIME; FILE may be without its directory.
func Parts(paths, names, offsets []string) ([]Part, error) {
	parts := make([]Part, len(paths))
	for i, path := range paths {
		parts[i].Path = path
	}
	for _, s := range names {
		p, name, err := said(parts, s)
		if err != nil {
			return nil, fmt.Errorf("--name %s: %w", s, err)
		}
		p.Name = name
	}
	for _, s := range offsets {
		p, text, err := said(parts, s)
		if err != nil {
			return nil, fmt.Errorf("--offset %s: %w", s, err)
		}
		if p.Late, err = time.ParseDuration(text); err != nil {
			return nil, fmt.Errorf("--offset %s: %w (want a time such as +1.2ms or -3s)", s, err)
		}
	}
	return parts, nil
}

// said finds the trace that a text is about.
func said(parts []Part, text string) (part *Part, value string, err error) {
	i := strings.LastIndexByte(text, '=')
	if i <= 0 || i == len(text)-1 {
		return nil, "", errors.New("want FILE=VALUE")
	}
	for j := range parts {
		if p := &parts[j]; p.Path == text[:i] || filepath.Base(p.Path) == text[:i] {
			if part != nil {
				return nil, "", fmt.Errorf("%s may be %s and %s", text[:i], part.Path, p.Path)
			}
			part = p
		}
	}
	if part == nil {
		return nil, "", fmt.Errorf("%s is none of the traces", text[:i])
	}
	return part, text[i+1:], nil
}
