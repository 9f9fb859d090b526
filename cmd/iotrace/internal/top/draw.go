package top

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// drawing puts a view on a screen.
type drawing struct {
	screen        tcell.Screen
	width, height int
	color, ascii  bool
}

var (
	plain  = tcell.StyleDefault
	strong = plain.Bold(true)
	chosen = plain.Reverse(true)
)

// line writes text from the left edge on. It has passed through visible.
func (d *drawing) line(y int, text string, style tcell.Style) {
	if y < 0 || y >= d.height {
		return
	}
	x := 0
	for g := uniseg.NewGraphemes(text); g.Next() && x < d.width; x += max(g.Width(), 1) {
		runes := g.Runes()
		d.screen.SetContent(x, y, runes[0], runes[1:], style)
	}
	if style == chosen {
		for ; x < d.width; x++ {
			d.screen.SetContent(x, y, ' ', nil, style)
		}
	}
}

// colored is a style with a colour, where colours are welcome.
func (d *drawing) colored(c tcell.Color) tcell.Style {
	if !d.color {
		return plain
	}
	return plain.Foreground(c)
}

// smallest is the least that the tables need.
const smallest = 8

// draw puts all of it on the screen.
func (d *drawing) draw(v *view) {
	d.screen.Clear()
	d.width, d.height = d.screen.Size()
	defer d.screen.Show()
	if v.help {
		d.help()
		return
	}
	i := v.interval()
	if i == nil {
		d.line(0, "iotrace top: waiting for the first interval", strong)
		return
	}
	d.head(v, i)
	y, rest := 2, d.height-3
	if rest < smallest {
		d.pane(v, v.focus, y, max(rest, 1))
	} else {
		perDevice := 2
		if d.inline() > 0 {
			perDevice = 1
		}
		y = d.pane(v, devicePane, y, min(1+perDevice*max(len(i.Devices), 1), max(rest/4, 1+perDevice)))
		below := d.height - 1 - y
		y = d.pane(v, processPane, y, below-below/2)
		d.pane(v, filePane, y, below/2)
	}
	d.foot(v)
}

// pane draws one of the tables and returns the line below it.
func (d *drawing) pane(v *view, pane, y, height int) int {
	i := v.interval()
	switch {
	case pane == devicePane:
		d.devices(v, i, y, height)
	case pane == processPane:
		table(d, v, pane, v.by.columns(), v.processes(), i, func(p Process) bool { return p.Wait > .9 }, y, height)
	case v.inside:
		columns := slices.Clone(Requests)
		columns[0].Title = "LONGEST REQUESTS OF " + visible.Text(v.path)
		table(d, v, pane, columns, v.requests(), i, nil, y, height)
	case v.drilled:
		columns := slices.Clone(Pairs)
		columns[0].Title = "FILES OF " + v.name
		table(d, v, pane, columns, v.pairs(), i, nil, y, height)
	default:
		table(d, v, pane, Files, v.files(), i, nil, y, height)
	}
	return y + height
}

// head is the first two lines: which interval, and what looking costs.
func (d *drawing) head(v *view, i *Interval) {
	title := fmt.Sprintf("iotrace top  %s  interval %d, %s", i.Time.Format("15:04:05"), i.Number,
		unit.Nanoseconds(i.DurationNS))
	if v.paused {
		title += fmt.Sprintf("  FROZEN %d/%d", v.shown+1, len(v.past))
	}
	if v.filter != "" && !v.editing {
		title += fmt.Sprintf("  only %q", visible.Text(v.filter))
	}
	title += "  by " + v.order()
	d.line(0, title, strong)
	style := plain
	if i.Own.Lost > 0 {
		style = d.colored(tcell.ColorRed).Bold(true)
	}
	d.line(1, ownText(i), style)
}

// foot is the last line: what can be done, or what was.
func (d *drawing) foot(v *view) {
	text := "Tab pane  Enter files  / filter  g group  space freeze  r record  ? help  q quit"
	switch {
	case v.editing:
		text = "/" + visible.Text(v.filter) + "_   Enter keeps the filter, Esc ends it"
	case v.message != "":
		text = v.message
	}
	d.line(d.height-1, text, d.colored(tcell.ColorTeal))
}

// inline is how many cells the line of a device has beside the table; 0 if it has to go below.
func (d *drawing) inline() int {
	if beside := d.width - 84; beside >= 20 {
		return min(beside, drawn)
	}
	return 0
}

// devices draws the first pane: each device with its traffic over time, beside it or below.
func (d *drawing) devices(v *view, i *Interval, y, height int) {
	beside, width, each := d.inline(), d.width, 2
	if beside > 0 {
		width, each = width-beside-1, 1
	}
	list := v.devices()
	p := &v.panes[devicePane]
	rows := max((height-1)/each, 1)
	p.clamp(len(list), rows)
	d.line(y, Head(Devices, width), d.headStyle(v, devicePane))
	for n := 0; n < rows && p.top+n < len(list); n++ {
		x := list[p.top+n]
		at := y + 1 + n*each
		text := Row(Devices, x, Seconds(i), width)
		if beside > 0 {
			text += " " + spark(v.traffic[x.Name], beside, d.ascii)
		}
		d.line(at, text, d.rowStyle(v, devicePane, p.top+n, x.Busy > .9))
		if beside == 0 && at+1 < y+height {
			d.line(at+1, "  "+spark(v.traffic[x.Name], d.width-3, d.ascii), d.colored(tcell.ColorGreen))
		}
	}
}

// table draws a pane: its head, and the rows around the cursor.
func table[T any](d *drawing, v *view, pane int, columns []Column[T], list []T, i *Interval,
	alarming func(T) bool, y, height int) {
	p := &v.panes[pane]
	p.clamp(len(list), height-1)
	d.line(y, Head(columns, d.width), d.headStyle(v, pane))
	for n := 0; n < height-1 && p.top+n < len(list); n++ {
		x := list[p.top+n]
		d.line(y+1+n, Row(columns, x, Seconds(i), d.width), d.rowStyle(v, pane, p.top+n, alarming != nil && alarming(x)))
	}
}

func (d *drawing) headStyle(v *view, pane int) tcell.Style {
	if v.focus == pane {
		return strong.Underline(true)
	}
	return d.colored(tcell.ColorGray).Underline(true)
}

func (d *drawing) rowStyle(v *view, pane, row int, alarming bool) tcell.Style {
	switch {
	case v.focus == pane && v.panes[pane].cursor == row:
		return chosen
	case alarming:
		return d.colored(tcell.ColorRed)
	}
	return plain
}

// clamp keeps the cursor on a row, and that on the screen.
func (p *pane) clamp(rows, visible int) {
	p.cursor = max(min(p.cursor, rows-1), 0)
	visible = max(visible, 1)
	p.top = max(min(p.top, p.cursor, rows-visible), p.cursor-visible+1, 0)
}

// help lists the keys, and what the columns say.
func (d *drawing) help() {
	d.line(0, "iotrace top: keys (any key goes back)", strong)
	y := 1
	for _, k := range keys {
		d.line(y, fmt.Sprintf("  %-22s %s", k[0], k[1]), plain)
		y++
	}
	for _, text := range []string{
		"Devices: MB/s, requests a second, mean number in flight, latency, time busy,",
		"  bytes at the device per byte of calls (ampl). The line is MB/s over time.",
		"Processes, files: MB/s at calls and at devices, requests, share of time that it",
		"  waited for I/O, fsyncs, mean size of its calls.",
		"What spans intervals counts in the last of them. See man iotrace-top.",
	} {
		d.line(y+1, text, plain)
		y++
	}
}

// spark draws numbers as a line of characters, the newest at the right. The largest is as high as a line.
func spark(values []rate, width int, ascii bool) string {
	levels := []rune(" ▁▂▃▄▅▆▇█")
	if ascii {
		levels = []rune(" .:-=+*#@")
	}
	width = max(width, 0)
	values = values[max(len(values)-width, 0):]
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v)
	}
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", max(width-len(values), 0)))
	for _, v := range values {
		n := 0
		if v > 0 && largest > 0 {
			n = max(int(v/largest*float64(len(levels)-1)+.5), 1)
		}
		b.WriteRune(levels[n])
	}
	return b.String()
}
