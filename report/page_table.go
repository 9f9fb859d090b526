package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// A tableView is a table as the page template needs it: row by row.
type tableView struct {
	ID, Title, Note, Mark string
	Head                  []headView
	Rows                  [][]cellView
	First                 int    // rows shown at once; the others are a click away
	More                  string // how many rows are left out
}

type headView struct {
	Title, Help string
	Left, Sorts bool
}

type cellView struct {
	Text  string
	Full  string // shown as a hint, if Text is cut
	Value string // what it sorts by, if not its text
	Left  bool
	Name  bool
	Prose bool
	None  bool   // nothing known: printed faintly
	Mark  string // of the row, beside its name
}

// The bounds that keep a page small whatever was recorded.
const (
	maxTableRows = 200
	maxNameCells = 160
	firstRows    = 25
)

func view(t *table, mark string) *tableView {
	v := &tableView{ID: t.id, Title: t.title, Note: t.note, Mark: mark}
	n := min(t.rows(), maxTableRows)
	if left := t.rows() - n; left > 0 {
		v.More = some(int64(left), "further row") + " left out"
	}
	v.Rows, v.First = make([][]cellView, n), firstRows
	if t.few {
		v.First = fewCopies
	}
	if n <= v.First+5 {
		v.First = n
	}
	marks := make([]string, n)
	for _, c := range t.namesFirst() {
		if c.marks {
			copy(marks, c.cells)
			continue
		}
		v.Head = append(v.Head, headView{c.title, c.help, c.left, c.title != ""})
		for r := range n {
			cell := cellView{Text: c.cells[r], Left: c.left, Name: c.elastic, Prose: c.prose, None: c.cells[r] == "-"}
			if c.elastic {
				cell.Mark = marks[r]
			}
			if cut := shorten(cell.Text, maxNameCells); cut != cell.Text {
				cell.Text, cell.Full = cut, shorten(cell.Text, 2*maxNameCells)
			}
			if c.values != nil {
				cell.Value = sortKey(c.values[r])
			}
			v.Rows[r] = append(v.Rows[r], cell)
		}
	}
	return v
}

// namesFirst are the columns in the order of a page, which has the room to begin
// with what a row is about: the marks, the names, then the rest.
func (t *table) namesFirst() []column {
	order := slices.Clone(t.columns)
	rank := func(c column) int {
		switch {
		case c.marks:
			return 0
		case c.elastic:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b column) int { return rank(a) - rank(b) })
	return order
}

// sortKey sorts unknown values below all others.
func sortKey(v float64) string {
	if math.IsNaN(v) || v < 0 {
		return "-1"
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// facts are the large numbers at the top of the page.
func facts(p *profile.Profile) []fact {
	fs := []fact{{"Took", duration(p.WallNS), exit(p)}}
	if written(p) > 0 {
		f := fact{"On the disk after", "not seen", "all of its data"}
		if p.DurableNS >= 0 {
			f.Value = duration(p.DurableNS)
		}
		fs = append(fs, f)
	}
	if l := layer(p, 0, "calls"); l != nil {
		fs = append(fs, flowFact("By the program", l))
	}
	if l := busiest(p); l != nil {
		fs = append(fs, flowFact("By "+layerName(l), l))
	}
	if len(p.Copies) == 1 && moves(p.Copies[0].Method) {
		f := fact{"Copy speed", perSecond(p.Copies[0].BytesPerS), ""}
		if d := p.Copies[0].DurableBytesPerS; d > 0 {
			f.More = perSecond(d) + " until on the disk"
		}
		fs = append(fs, f)
	} else if len(p.CopyGroups) == 1 {
		g := p.CopyGroups[0]
		fs = append(fs, fact{"Copy speed", perSecond(g.BytesPerS), scaled(plain, math.Round(g.FilesPerS)) + " files/s"})
	}
	if p.Lost.Total > 0 {
		fs = append(fs, fact{"Lost", grouped(int64(p.Lost.Total)), "events: marked numbers are too low"})
	}
	return fs
}

// busiest is the topmost layer of devices that moved most.
func busiest(p *profile.Profile) *profile.Layer {
	var top *profile.Layer
	for i := range p.Layers {
		l := &p.Layers[i]
		if l.Level == 1 && (top == nil || layerBytes(l) > layerBytes(top)) {
			top = l
		}
	}
	return top
}

func layerBytes(l *profile.Layer) (n int64) {
	for _, f := range []*profile.Flow{l.Read, l.Write} {
		if f != nil {
			n += f.Bytes
		}
	}
	return n
}

func exit(p *profile.Profile) string {
	switch {
	case p.Trace.Reason == "interrupted":
		return "recording was cut off"
	case len(p.Command) == 0 || p.ExitStatus == -1:
		return "recording"
	}
	return "exit status " + strconv.Itoa(p.ExitStatus)
}

func flowFact(name string, l *profile.Layer) fact {
	f := fact{Name: name}
	switch {
	case l.Read != nil && l.Write != nil && l.Read.Bytes > 0 && l.Write.Bytes > 0:
		f.Value, f.More = unit.Bytes(l.Read.Bytes)+" read", unit.Bytes(l.Write.Bytes)+" written"
	case l.Read != nil && l.Read.Bytes > 0:
		f.Value, f.More = unit.Bytes(l.Read.Bytes), "read, nothing written"
	case l.Write != nil && l.Write.Bytes > 0:
		f.Value, f.More = unit.Bytes(l.Write.Bytes), "written, nothing read"
	default:
		f.Value, f.More = "0 B", "no data moved"
	}
	return f
}

// scaled prints one value with its own unit.
func scaled(family []scale, v float64) string {
	s := scaleFor(family, v)
	if s.unit == "" {
		return s.format(v)
	}
	return s.format(v) + " " + s.unit
}

// lost says how many events are missing.
func lost(p *profile.Profile) string {
	if p.Lost.Total == 1 {
		return "1 event was lost"
	}
	return some(int64(p.Lost.Total), "event") + " were lost"
}

// recording says how the numbers came about.
func recording(p *profile.Profile) []string {
	lines := []string{"Recorded by " + recordedBy(p) + ".", recorderCost(p)}
	if p.Lost.Total == 0 && p.Trace.Damaged == 0 {
		lines = append(lines, "No event was lost.")
	} else if p.Lost.Total > 0 {
		lines = append(lines, lost(p)+".")
	}
	return lines
}
