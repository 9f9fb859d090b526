package benchmarks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// curveRows are the most that a table of a curve with many points has.
const curveRows = 20

// write prints a curve as a table for a terminal, and what can be said of it.
func (c Curve) write(b *strings.Builder, r *baseline.Review) {
	b.WriteByte('\n')
	writeWrapped(b, c.Title+": "+c.About+".")
	b.WriteByte('\n')
	rows := c.rows()
	first := table.Column{Left: true, Cells: []string{"", ""}}
	for _, x := range rows {
		first.Cells = append(first.Cells, c.Mark(x))
	}
	t := (&table.Table{}).Fill(first)
	for _, l := range c.Lines {
		column := table.Column{Cells: []string{visible.Line(r.Volumes[l.Volume].Label), string(l.Op)}}
		for _, x := range rows {
			text := ""
			if p, ok := l.at(x); ok {
				text = unit.Speed(p.Rate) + iops(p)
			}
			column.Cells = append(column.Cells, text)
		}
		t.Fill(column)
	}
	t.Blocks(b, reviewWidth)
	for _, note := range c.Notes {
		writeWrapped(b, note)
	}
}

// iops follows a speed of operations of one size.
func iops(p CurvePoint) string {
	if p.IOPS == 0 {
		return ""
	}
	return ", " + unit.Count(p.IOPS) + " IOPS"
}

// rows are the places of the axis at which a line has a point.
func (c *Curve) rows() []int64 {
	places := map[int64]bool{}
	for i := range c.Lines {
		c.Lines[i].Points = coarse(c.Lines[i].Points, curveRows)
		for _, p := range c.Lines[i].Points {
			places[p.X] = true
		}
	}
	return slices.Sorted(maps.Keys(places))
}

func (l Line) at(x int64) (CurvePoint, bool) {
	i := slices.IndexFunc(l.Points, func(p CurvePoint) bool { return p.X == x })
	if i < 0 {
		return CurvePoint{}, false
	}
	return l.Points[i], true
}

// markdown writes the same as a table of Markdown with the intervals, and a list.
func (c Curve) markdown(b *strings.Builder, r *baseline.Review) {
	fmt.Fprintf(b, "\n%s: %s.\n\n", visible.Markdown(c.Title), visible.Markdown(c.About))
	rows := [][]string{{curveTitles[c.Over]}}
	for _, l := range c.Lines {
		rows[0] = append(rows[0], r.Volumes[l.Volume].Label+", "+string(l.Op))
	}
	for _, x := range c.rows() {
		row := []string{c.Mark(x)}
		for _, l := range c.Lines {
			text := ""
			if p, ok := l.at(x); ok {
				text = unit.Speed(p.Rate) + iops(p)
				if p.Low != nil && p.High != nil {
					text += fmt.Sprintf(" (%s … %s)", unit.Speed(*p.Low), unit.Speed(*p.High))
				}
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	table.Rows(false, rows...).Markdown(b)
	for i, note := range c.Notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + visible.Markdown(note) + "\n")
	}
}

// differences counts the points at which a volume differs from the first, and says what could not be measured.
func differences(r *baseline.Review, tasks []baseline.Task) (notes []string) {
	for k, v := range r.Volumes {
		faster, slower, of, cannot := 0, 0, 0, ""
		for _, t := range tasks {
			to := t.Results[k]
			if to.Skipped != "" {
				cannot = to.Skipped
			} else if text := to.Invalid(); text != "" {
				cannot = text
			}
			if t.Point == nil || to.Against == nil || to.Against.Verdict == "?" {
				continue
			}
			of++
			switch to.Against.Verdict {
			case "faster":
				faster++
			case "slower":
				slower++
			}
		}
		if cannot != "" {
			notes = append(notes, fmt.Sprintf("%s: not measured, %s.", v.Label, cannot))
		}
		if of > 0 {
			notes = append(notes, fmt.Sprintf("Of %s, %s was faster than %s at %d and slower at %d; at the others no "+
				"difference can be seen.", unit.Things(int64(of), "point"), v.Label, r.Volumes[0].Label, faster, slower))
		}
	}
	return notes
}

// fitted says what the lines over the sizes of files mean.
func fitted(r *baseline.Review, c Curve) (notes []string) {
	for _, l := range c.Lines {
		f := l.Fit
		if f == nil || f.TheilSen <= 0 {
			continue
		}
		text := fmt.Sprintf("%s, %s: %s", r.Volumes[l.Volume].Label, l.Op, unit.Speed(f.TheilSen))
		if f.Low > 0 && f.High > 0 {
			text += fmt.Sprintf(" (%s … %s)", unit.Speed(f.Low), unit.Speed(f.High))
		}
		notes = append(notes, text+fmt.Sprintf(" and %s per file, by Theil–Sen over %s.", unit.Nanoseconds(f.PerFileNS),
			unit.Things(int64(f.Files), "file")))
	}
	return notes
}

// courses says where writing became slower for good.
func courses(r *baseline.Review, tasks []baseline.Task) (notes []string) {
	for _, t := range tasks {
		if t.Work != "sustained" {
			continue
		}
		for k, to := range t.Results {
			switch o := to.Onset; {
			case len(to.Runs) == 0 || to.Invalid() != "":
			case o == nil:
				notes = append(notes, r.Volumes[k].Label+": no lasting drop of the rate.")
			default:
				notes = append(notes, fmt.Sprintf("%s: slower for good after %s (%s): from %s to %s.", r.Volumes[k].Label,
					unit.Bytes(o.Bytes), unit.Duration(time.Duration(o.NS)), unit.Speed(o.Before), unit.Speed(o.After)))
			}
		}
	}
	return notes
}
