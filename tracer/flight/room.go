package flight

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// named are the names that the recorder gives. Nothing else is removed.
var named = regexp.MustCompile(`^flight-\d{8}-\d{6}(-\d+)?\.iotrace$`)

// earlier is a trace that a flight recorder has written.
type earlier struct {
	name  string
	size  int64
	began time.Time
}

// makeRoom removes the oldest traces of flight recorders, so that the others and one of so many bytes have at most
// MaxDisk.
func (o *Options) makeRoom(size int64) (removed []string, err error) {
	if o.MaxDisk == 0 {
		return nil, nil
	}
	if size > o.MaxDisk {
		return nil, fmt.Errorf("it has %s, more than all traces may have (--max-disk %s)", unit.Bytes(size),
			unit.BlockSize(o.MaxDisk))
	}
	d, err := output.OpenDirectory(o.Dir, o.Owner.Identity())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	list, err := o.earlier(d)
	if err != nil {
		return nil, err
	}
	sum := size
	for _, x := range list {
		sum += x.size
	}
	for _, x := range list {
		if sum <= o.MaxDisk {
			break
		}
		if err := d.Remove(x.name); err != nil {
			return removed, fmt.Errorf("making room for it (--max-disk): %w", err)
		}
		sum -= x.size
		removed = append(removed, x.name)
	}
	return removed, nil
}

// earlier lists the traces of flight recorders, the oldest first.
func (o *Options) earlier(d *output.Directory) (list []earlier, err error) {
	entries, err := d.Entries()
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Regular || !named.MatchString(e.Name) {
			continue
		}
		st, err := d.Stat(e.Name)
		if err != nil || st.Uid != o.uid() {
			continue
		}
		if began, ok := written(d, e.Name); ok {
			list = append(list, earlier{e.Name, e.Size, began})
		}
	}
	sorting.Stably(list, func(a, b earlier) int { return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.name, b.name)) })
	return list, nil
}

func (o *Options) uid() uint32 {
	if o.Owner != nil {
		return o.Owner.UID
	}
	return uint32(os.Geteuid())
}

// written reports whether a file is a trace with a trigger, and when that began.
func written(d *output.Directory, name string) (began time.Time, ok bool) {
	f, err := d.OpenRegular(name)
	if err != nil {
		return began, false
	}
	defer f.Close()
	r, err := tracefile.NewReader(f)
	if err != nil || r.Header().Trigger == nil {
		return began, false
	}
	return r.Header().WallStart, true
}
