package top

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/sorting"
)

// The panes, from the top down.
const (
	devicePane = iota
	processPane
	filePane
	panes
)

// view is what the screen shows, and how. It knows no terminal.
type view struct {
	past       []*Interval // the last ones, the newest at the end
	shown      int         // index of the one on the screen
	paused     bool
	help       bool
	focus      int
	panes      [panes]pane
	filter     string
	editing    bool     // the filter
	by         grouping // the processes of a group are one row
	names      names    // of users
	process    uint32   // whose files are shown, if drilled: a key of a process, or of a group
	drilled    bool     // only the files of one row are shown
	name       string   // of that row
	inside     bool     // requests are shown in the place of files
	path       string   // of the file that they are of
	numbers    numbers  // of control groups and containers
	containers containerNames
	traffic    map[string][]rate // of devices, the newest at the end
	message    string            // of the last action
}

// rate is bytes a second.
type rate = float64

// pane is a table with a cursor.
type pane struct {
	cursor, top int
	sort        int // column; -1: as it comes, most bytes first
	reverse     bool
}

// newView has the cursor on the processes.
func newView() *view {
	v := &view{focus: processPane, traffic: map[string][]rate{}, names: names{}, numbers: numbers{},
		containers: containerNames{}, shown: -1}
	for i := range v.panes {
		v.panes[i].sort = -1
	}
	return v
}

// kept is how many intervals can be looked at when the screen is frozen, each with at most keptRows rows in a table;
// drawn how many the line of a device has.
const (
	kept     = 60
	keptRows = 1000
	drawn    = 240
)

// add takes the next interval.
func (v *view) add(i *Interval) {
	i.Processes, i.Files, i.Pairs = first(i.Processes), first(i.Files), first(i.Pairs)
	v.past = append(v.past, i)
	if !v.paused {
		v.shown = len(v.past) - 1
	}
	if len(v.past) > kept {
		v.past = slices.Delete(v.past, 0, 1)
		v.shown = max(v.shown-1, 0)
	}
	for _, d := range i.Devices {
		line := append(v.traffic[d.Name], float64(d.Read.Bytes+d.Write.Bytes)/Seconds(i))
		v.traffic[d.Name] = line[max(len(line)-drawn, 0):]
	}
}

func first[T any](list []T) []T {
	if len(list) > keptRows {
		return slices.Clone(list[:keptRows])
	}
	return list
}

// interval is the one on the screen, nil before the first.
func (v *view) interval() *Interval {
	if v.shown < 0 {
		return nil
	}
	return v.past[v.shown]
}

// pause freezes the screen, or lets it go on.
func (v *view) pause() {
	if v.paused = !v.paused; !v.paused {
		v.shown = len(v.past) - 1
	}
}

// step looks at an earlier or a later interval.
func (v *view) step(by int) {
	if len(v.past) == 0 {
		return
	}
	v.paused = true
	v.shown = min(max(v.shown+by, 0), len(v.past)-1)
}

// matches reports whether a name passes the filter.
func (v *view) matches(name string) bool {
	return v.filter == "" || strings.Contains(strings.ToLower(name), strings.ToLower(v.filter))
}

// devices are the rows of the first pane.
func (v *view) devices() []Device {
	return sorted(Devices, v.interval().Devices, v.panes[devicePane], Seconds(v.interval()))
}

// processes are those that pass the filter, or use a file that does.
func (v *view) processes() []Process {
	i := v.interval()
	using := map[uint32]bool{}
	for _, p := range i.Pairs {
		using[p.Process] = using[p.Process] || v.matches(p.Path)
	}
	list := filtered(i.Processes, func(p Process) bool { return using[p.Key] || v.matches(p.Command) })
	if v.by != byProcess {
		list = v.grouped(list)
	}
	return sorted(v.by.columns(), list, v.panes[processPane], Seconds(i))
}

// files are those that pass the filter, or are used by a process that does.
func (v *view) files() []File {
	i := v.interval()
	named, used := map[uint32]bool{}, map[string]bool{}
	for _, p := range i.Processes {
		named[p.Key] = v.matches(p.Command)
	}
	for _, p := range i.Pairs {
		used[p.Path] = used[p.Path] || named[p.Process]
	}
	list := filtered(i.Files, func(f File) bool { return used[f.Path] || v.matches(f.Path) })
	return sorted(Files, list, v.panes[filePane], Seconds(i))
}

// chosen is the process that was, or the processes of the group.
func (v *view) chosen() map[uint32]bool {
	if v.by == byProcess {
		return map[uint32]bool{v.process: true}
	}
	chosen := map[uint32]bool{}
	for _, p := range v.interval().Processes {
		key, _ := v.label(&p)
		chosen[p.Key] = key == v.process
	}
	return chosen
}

// pairs are the files of the process that was chosen, or of the processes of the group.
func (v *view) pairs() []Pair {
	i, chosen := v.interval(), v.chosen()
	list := filtered(i.Pairs, func(p Pair) bool { return chosen[p.Process] && v.matches(p.Path) })
	return sorted(Pairs, list, v.panes[filePane], Seconds(i))
}

// requests are those that took longest, of the file that was chosen and, if drilled, of the process.
func (v *view) requests() []Request {
	i, chosen := v.interval(), v.chosen()
	list := filtered(i.Requests, func(q Request) bool {
		return slices.Contains(q.Paths, v.path) && (!v.drilled || chosen[q.Process])
	})
	return sorted(Requests, list, v.panes[filePane], Seconds(i))
}

func filtered[T any](list []T, passes func(T) bool) (out []T) {
	for _, x := range list {
		if passes(x) {
			out = append(out, x)
		}
	}
	return out
}

// sorted is the rows in the order of a column: names by their letters, numbers with the largest first.
func sorted[T any](columns []Column[T], list []T, p pane, seconds float64) []T {
	list = slices.Clone(list)
	if p.sort >= 0 && p.sort < len(columns) {
		c := columns[p.sort]
		sorting.Stably(list, func(a, b T) int {
			x, y := c.Value(a, seconds), c.Value(b, seconds)
			if c.Width == 0 {
				return strings.Compare(x.Text, y.Text)
			}
			return cmp.Compare(y.Number, x.Number)
		})
	}
	if p.reverse {
		slices.Reverse(list)
	}
	return list
}

// titles are those of the columns of a pane.
func (v *view) titles(pane int) []string {
	switch {
	case pane == devicePane:
		return titles(Devices)
	case pane == processPane:
		return titles(v.by.columns())
	case v.inside:
		return titles(Requests)
	case v.drilled:
		return titles(Pairs)
	}
	return titles(Files)
}

func titles[T any](columns []Column[T]) (list []string) {
	for _, c := range columns {
		list = append(list, strings.TrimSpace(c.Title))
	}
	return list
}

// order says what the pane with the cursor is sorted by.
func (v *view) order() string {
	p, titles := v.panes[v.focus], v.titles(v.focus)
	by := "bytes"
	if p.sort >= 0 && p.sort < len(titles) {
		by = titles[p.sort]
	}
	if p.reverse {
		by += ", reversed"
	}
	return by
}
