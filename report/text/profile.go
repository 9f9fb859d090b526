package text

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/table"
)

// Options say how text is laid out.
type Options struct {
	Width int              // columns of the terminal; 0 means 80
	Color bool             // escape sequences for colour are welcome
	Rows  int              // rows per table; 0 means 10, negative means all
	ASCII bool             // the locale has no other characters
	Full  bool             // everything: observations, bounds, program starts, calls, layers, phases
	By    content.Grouping // processes are put together; "": they are not
}

// Profile writes what the profile says for a person at a terminal: the story
// first, then the tables behind it, then the warnings. Nothing it writes can
// act on the terminal, whatever the traced files are called.
func Profile(w io.Writer, p *profile.Profile, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	switch {
	case o.Rows == 0:
		o.Rows = 10
	case o.Rows < 0:
		o.Rows = 0
	}
	t := &text{p: p, o: o, ink: ink(o.Color), Notes: content.NotesOf(p)}
	t.head()
	if o.Full {
		t.everything()
	} else {
		t.short()
	}
	text := t.b.String()
	if o.ASCII {
		text = plain.Replace(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// short is what carries the verdict: where the time went, what was copied, what the
// devices and files did.
func (t *text) short() {
	t.table(content.Differences(t.p))
	if rows := t.o.Rows; content.Operations(t.p).Rows() > 0 {
		t.o.Rows = min(rows, fewFiles)
		t.table(content.Operations(t.p))
		t.o.Rows = rows
	} else {
		t.parts()
	}
	t.table(content.Groups(t.p))
	t.copies()
	t.table(content.Devices(t.p))
	if t.o.By != "" {
		t.table(t.processes())
	}
	t.o.Rows = min(t.o.Rows, fewFiles)
	t.table(content.Files(t.p))
	t.table(content.Hosts(t.p))
	t.warnings()
	if more := furthermore(t.p); more != "" {
		t.b.WriteString("\n")
		t.wrap(t.ink.faint, "", more)
	}
}

// furthermore is what else can be found out about copies that moved data.
func furthermore(p *profile.Profile) string {
	if slices.ContainsFunc(p.Copies, func(c profile.Copy) bool { return c.Method.Moves() && c.Bytes > 0 }) {
		return "iotrace whatif --try methods --dir DIR copies in other ways there and says which is fastest."
	}
	return ""
}

// fewFiles is how many files the short form lists.
const fewFiles = 5

func (t *text) everything() {
	if m := content.Moved(t.p); m != "" {
		t.wrap(nil, "", m)
	}
	t.table(content.IncidentChain(t.p))
	t.table(content.Differences(t.p))
	t.observations()
	t.table(content.Operations(t.p))
	t.table(content.LongestOperations(t.p))
	t.parts()
	t.states()
	t.possible()
	t.table(content.WhatIf(t.p))
	t.table(content.Groups(t.p))
	t.table(content.SizeTime(t.p))
	t.copies()
	for _, table := range []*table.Table{
		content.Path(t.p), content.Samples(t.p), content.Launches(t.p), content.Scrubs(t.p), content.Calls(t.p),
		content.Devices(t.p), content.Servers(t.p), content.Files(t.p), content.Hosts(t.p), t.processes(),
	} {
		t.table(table)
	}
	t.amounts()
	t.phases()
	t.warnings()
	t.recording()
}

// processes are those of the recording, one by one or together.
func (t *text) processes() *table.Table {
	if t.o.By != "" {
		return content.ProcessGroups(t.p, t.o.By)
	}
	return content.Processes(t.p)
}

// text is the output while it is put together.
type text struct {
	content.Notes
	p   *profile.Profile
	o   Options
	ink ink
	b   strings.Builder
}

func (t *text) head() {
	t.line(t.ink.strong, "", content.Title(t.p))
	for _, line := range content.Incident(t.p) {
		t.wrap(nil, "", line)
	}
	t.answer()
}

func (t *text) observations() {
	if len(t.p.Observations) == 0 {
		return
	}
	t.section("Observations")
	for _, s := range t.p.Observations {
		line := visible.Shorten(visible.Text(s.Text), content.Longest)
		if m := t.Mark(s.Marks); m != "" {
			line += " " + m
		}
		t.wrap(nil, "- ", line)
	}
}

// parts prints the causes with their times, which add up to the whole. Where no cause is known, what the program and
// its devices did stands in for them.
func (t *text) parts() {
	parts := content.Parts(t.p)
	if len(parts) == 0 {
		t.timeStack("Where the time went")
		return
	}
	t.section("Where the time went" + suffix(t.Mark(t.p.TimeStack.Marks)))
	t.shares(parts)
}

// states prints the labels of time where causes stand above them.
func (t *text) states() {
	if len(content.Parts(t.p)) > 0 {
		t.timeStack("What it was doing")
	}
}

// timeStack prints one bar per label; their lengths add up to the whole.
func (t *text) timeStack(title string) {
	slots := content.StackRows(t.p)
	if len(slots) == 0 {
		return
	}
	t.section(title + suffix(t.Mark(t.p.TimeStack.Marks)))
	parts := make([]content.Part, len(slots))
	for i, s := range slots {
		parts[i] = content.Part{Text: s.Text, NS: s.NS, Share: s.Share}
	}
	t.shares(parts)
}

// shares prints parts of a time, a bar for each.
func (t *text) shares(parts []content.Part) {
	var longest, rest, few int64
	for _, x := range parts {
		longest = max(longest, x.NS)
	}
	scale := table.ScaleFor(table.Times, float64(longest))
	for i, x := range parts {
		if x.Share < 0.0005 && i > 0 {
			rest, few = rest+x.NS, few+1
			continue
		}
		share := bar(x.Share, barWidth)
		bullet := fmt.Sprintf("%6s %s %5s %%  %s  ", scale.Format(float64(x.NS)), scale.Unit, table.Shares[0].Format(x.Share),
			share+strings.Repeat(" ", barWidth-visible.Width(share)))
		t.wrap(nil, bullet, visible.Shorten(visible.Text(x.Text), content.Longest))
	}
	if few > 0 {
		t.wrap(t.ink.faint, "", "and "+unit.Nanoseconds(rest)+" in "+unit.Things(few, "further part"))
	}
}

// barWidth is the width of the whole time in the time stack, in columns.
const barWidth = 16

// bar draws a share of one in eighths of a column.
func bar(share float64, width int) string {
	eighths := int(share*float64(width*8) + 0.5)
	if eighths <= 0 {
		return "▏"
	}
	s := strings.Repeat("█", eighths/8)
	if r := eighths % 8; r > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[r])
	}
	return s
}

// possible prints the bounds as sentences: a table would cut them.
func (t *text) possible() {
	if len(t.p.Bounds) == 0 {
		return
	}
	t.section("Theoretical limits")
	for _, b := range t.p.Bounds {
		t.wrap(nil, fmt.Sprintf("%9s, %5s reached: ", unit.Speed(b.Rate), unit.Share(b.Reached)), visible.Text(b.Text))
	}
}

// amounts prints what devices did for what calls moved as sentences.
func (t *text) amounts() {
	table := content.Amounts(t.p)
	if table.Rows() == 0 {
		return
	}
	t.section(table.Title + suffix(t.Mark(table.Marks)))
	t.wrap(t.ink.faint, "", table.Note)
	for _, line := range content.AmountLines(t.p) {
		t.wrap(nil, "- ", line)
	}
}

// copies lists them, but only a few of many that are summed up as trees.
func (t *text) copies() {
	if rows := t.o.Rows; rows > content.FewCopies && len(t.p.CopyGroups) > 0 && len(t.p.Copies) > rows {
		defer func() { t.o.Rows = rows }()
		t.o.Rows = content.FewCopies
	}
	t.table(content.Copies(t.p))
}

func (t *text) table(tab *table.Table) {
	if tab.Rows() == 0 {
		return
	}
	t.section(tab.Title + suffix(t.Mark(tab.Marks)))
	tab.Write(&t.b, t.ink.faint, t.o.Width, t.o.Rows)
}

func (t *text) phases() {
	t.table(content.Phases(t.p))
	for i := range t.p.ChangePoints {
		change, facts := content.Step(&t.p.ChangePoints[i])
		t.wrap(nil, "- ", strings.Join(append([]string{change}, facts...), " "))
	}
}

func (t *text) warnings() {
	if len(t.p.Warnings) == 0 {
		return
	}
	t.section("Warnings")
	for i, w := range t.p.Warnings {
		t.wrap(nil, "!"+unit.Count(int64(i+1))+" ", visible.Shorten(visible.Text(w.Text), content.Longest))
	}
}

func (t *text) recording() {
	tr := &t.p.Trace
	t.section("Recording")
	t.wrap(nil, "", content.RecordedBy(t.p)+".")
	t.wrap(nil, "", content.RecorderCost(t.p))
	for _, line := range append(content.IOLimits(t.p), content.MemoryLimits(t.p)...) {
		t.wrap(nil, "", line)
	}
	if t.p.Lost.Total == 0 && tr.Damaged == 0 {
		t.wrap(nil, "", "No event was lost.")
	}
}

func (t *text) section(title string) { t.b.WriteString("\n" + t.ink.strong(title) + "\n") }

// suffix sets a mark behind a title.
func suffix(mark string) string {
	if mark == "" {
		return ""
	}
	return " " + mark
}
