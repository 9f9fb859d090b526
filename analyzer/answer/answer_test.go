package answer

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// What is written to memory alone is never durable, whenever it was written.
func TestMemoryIsNotDurable(t *testing.T) {
	for fs, memory := range map[string]bool{"tmpfs": true, "ramfs": true, "ext4": false, "": false} {
		p := &profile.Profile{WallNS: 1e9, DurableNS: 2e9, Command: []string{"cp", "a", "b"}}
		p.Layers = []profile.Layer{{Name: "calls", Write: &profile.Flow{Bytes: 1e6}}}
		p.Files = []profile.File{{Type: trace.FileRegular, FSType: fs, Write: p.Layers[0].Write},
			{Type: trace.FileRegular, FSType: "ext4"}}
		text := took(p)
		if strings.Contains(text, "in memory only") != memory || strings.Contains(text, "durable") == memory {
			t.Errorf("%q: %s", fs, text)
		}
	}
}

// Of several hosts the time is that of the commands that they ran, if any, and not for how long all were watched.
func TestCommandsOfSeveralHosts(t *testing.T) {
	for start, want := range map[int64]string{0: "2.00 s recorded", 1: "2.00 s until the last command returned"} {
		p := &profile.Profile{StartNS: start, WallNS: 2e9, Trace: profile.Trace{Scope: trace.ScopeMerge}}
		if text := took(p); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// A command that failed says by which call, if one tells.
func TestRefused(t *testing.T) {
	p := &profile.Profile{WallNS: 1e9, Command: []string{"dd"}, ExitStatus: 1, Calls: []profile.Call{
		{Op: trace.OpRead, Name: "read", Count: 9, Errors: 1, Errno: map[trace.Errno]int64{11: 1}},
		{Op: trace.OpWrite, Name: "write", Count: 9, Errors: 1, Errno: map[trace.Errno]int64{trace.ErrNoSpace: 1}},
	}}
	if text, want := took(p), "1.00 s until it exited with status 1 (write: no space left)"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}

// What the command had drives do stands beside what they did for everybody.
func TestChargedBytes(t *testing.T) {
	p := &profile.Profile{Trace: profile.Trace{Drives: []profile.Drive{{Name: "sda", ReadBytes: 9e6, WrittenBytes: 5e6}},
		Limits: []profile.Limit{{Code: string(trace.LimitNoRequests)}}}}
	said := func() (text string) {
		for _, l := range drives(p) {
			text += l.Label + " " + l.Text + "\n"
		}
		return text
	}
	if text := said(); !strings.Contains(text, "sda read 9.00 MB · wrote 5.00 MB") || strings.Contains(text, "for it") {
		t.Error(text)
	}
	p.Trace.Charged = &profile.Charge{ReadBytes: 3e6, WrittenBytes: 2e6}
	if text := said(); !strings.Contains(text, "for it read 3.00 MB · wrote 2.00 MB") {
		t.Error(text)
	}
	if p.Trace.Limits = nil; said() != "" {
		t.Errorf("drives that the workload did not use are told: %s", said())
	}
}

// Copies are told of where they are a fifth of what was written, or where they are clones: nothing had to be. To give
// a file another name is no copy.
func TestCopied(t *testing.T) {
	for _, c := range []struct {
		method  profile.Method
		written int64
		label   string
	}{
		{"read_write", 100, Copied}, {"read_write", 500, Copied}, {"read_write", 505, Program},
		{"reflink", 102_00, Copied}, {"rename", 0, Program}, {"rename", 500, Program}, {"rename", 102_00, Program},
		{"hardlink", 102_00, Program},
	} {
		p := &profile.Profile{
			Layers: []profile.Layer{{Name: "calls", Write: &profile.Flow{Count: 1, Bytes: c.written}}},
			Copies: []profile.Copy{{Method: c.method, Bytes: 100, WallNS: profile.Unknown, Certainty: "checked"}},
		}
		if label, text := did(p); label != c.label || text == "" {
			t.Errorf("100 bytes by %s of %d that were written: %s %q", c.method, c.written, label, text)
		}
	}
}

// TestRenamed: files that got another name are counted apart from those that were copied, and are said to have moved
// nothing where that is all.
func TestRenamed(t *testing.T) {
	of := func(method profile.Method, name string) profile.Copy {
		return profile.Copy{Method: method, Source: name, Destination: name + ".new", Bytes: 1 << 20, Certainty: "certain"}
	}
	renamed, linked, copied := of(profile.ByRename, "a"), of(profile.ByHardLink, "b"), of(profile.ByReadWrite, "c")
	for _, c := range []struct {
		list    []profile.Copy
		left    int64
		written int64
		want    string
	}{
		{[]profile.Copy{renamed}, 0, 0, "1 rename (1.05 MB): no data was copied"},
		{[]profile.Copy{renamed, linked, renamed}, 0, 0, "2 renames and 1 hard link (3.15 MB): no data was copied"},
		{[]profile.Copy{renamed}, 0, 1 << 20, "wrote 1.05 MB in 1 call (median 0 B) · 1 rename (1.05 MB)"},
		{[]profile.Copy{copied, renamed}, 0, 1 << 20, "1 file, 1.05 MB, read/write · 1 rename (1.05 MB)"},
		{[]profile.Copy{copied}, 7, 1 << 20, "1 file, 1.05 MB, read/write · 7 renames"},
	} {
		p := &profile.Profile{Copies: c.list, Layers: []profile.Layer{{Name: "calls"}}}
		if c.written > 0 {
			p.Layers[0].Write = &profile.Flow{Count: 1, Bytes: c.written}
		}
		p.Omitted.Renames = c.left
		if _, text := did(p); text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}

// TestCopiedAtLeast: where only contents show that files were copied, and not all of them were compared, there may be
// more copies than are known. Those that calls show are all of them.
func TestCopiedAtLeast(t *testing.T) {
	for _, c := range []struct {
		evidence   string
		uncompared int64
		want       string
	}{
		{"content", 0, "2 files, 8.19 kB, "}, {"content", 3, "at least 2 files, 8.19 kB, "},
		{"flow", 3, "2 files, 8.19 kB, "},
	} {
		p := &profile.Profile{Trace: profile.Trace{Uncompared: c.uncompared}}
		for _, name := range []string{"a", "b"} {
			p.Copies = append(p.Copies, profile.Copy{Source: "/s/" + name, Destination: "/d/" + name, Bytes: 4096,
				Method: profile.ByReadWrite, Certainty: "checked", Evidence: c.evidence})
		}
		if _, text := did(p); !strings.HasPrefix(text, c.want) {
			t.Errorf("%s, %d not compared: %q, want %q", c.evidence, c.uncompared, text, c.want)
		}
	}
}

// The rate until a tree was durable is that of the profile. One that is worked out again can round to another number.
func TestRateOfATree(t *testing.T) {
	p := &profile.Profile{Copies: []profile.Copy{
		{Source: "/a/1", Destination: "/b/1", Bytes: 146, Method: profile.ByReadWrite, Certainty: "certain"},
		{Source: "/a/2", Destination: "/b/2", Bytes: 146, Method: profile.ByReadWrite, Certainty: "certain"},
	}}
	p.CopyGroups = []profile.CopyGroup{{Files: 2, Bytes: 292, WallNS: 2_147_000, BytesPerS: 136_003, FilesPerS: 931,
		DurableNS: 11_252_600, DurableBytesPerS: 25_777}}
	if text := copies(p, p.Copies); !strings.Contains(text, "(25.8 kB/s durable)") {
		t.Errorf("%s", text)
	}
}

// To record is no advice for Windows.
func TestNoRecordingOfWindows(t *testing.T) {
	for os, advised := range map[string]bool{"windows": false, "linux": true} {
		p := &profile.Profile{Trace: profile.Trace{OS: os, Limits: []profile.Limit{{Code: string(trace.LimitNoDurations)}}}}
		if _, text := help(p); (text != "") != advised {
			t.Errorf("%s: %s", os, text)
		}
	}
}

// Whatever is known, the lines fit; what matters most is left.
func TestFit(t *testing.T) {
	long := strings.Repeat("something that was seen ", 4)
	lines := []profile.AnswerLine{{Label: Bottleneck, Text: "it"}, {Text: long}, {Label: Time, Text: "1 s"},
		{Label: Copied, Text: long}, {Label: "sda read", Text: "1 GB"}, {Label: "sdb write", Text: "1 GB"},
		{Label: Try, Text: long + "; " + long}, {Label: WhatIf, Text: long}, {Label: More, Text: "iotrace"}}
	got := fit(lines, true)
	if n := rows(got); n > mostLines-own-1 {
		t.Errorf("%d rows", n)
	}
	for i, want := range []string{Bottleneck, "", Time, Copied, "sda read"} {
		if got[i].Label != want {
			t.Errorf("line %d is %q, want %q", i, got[i].Label, want)
		}
	}
	if whole := fit(lines[:5], true); len(whole) != 5 || whole[1].Text != long {
		t.Errorf("%+v", whole)
	}
}

// The parts of a bar add up to all of the time, whatever the causes say.
func TestBar(t *testing.T) {
	for _, shares := range [][]float64{{1}, {0.5, 0.5}, {0.9, 0.3}, {0.04}, {0.3, 0.2, 0.2, 0.1, 0.1, 0.1}, {}} {
		p := &profile.Profile{TimeStack: profile.TimeStack{TotalNS: 1000}}
		for _, s := range shares {
			p.Verdict.Causes = append(p.Verdict.Causes, profile.Reason{Code: "own_cpu", TimeNS: int64(s * 1000), Share: s})
		}
		var ns int64
		for _, x := range bar(p) {
			ns += x.TimeNS
		}
		if len(shares) > 0 && ns != 1000 {
			t.Errorf("%v: %d of 1000 ns", shares, ns)
		}
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{"a": "a", "a; b": "a", "a (b; c); d": "a (b; c)", "": ""} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// However long the lines are, and whichever there are, they fit, and the first and the time are among them.
func TestFitOfAnything(t *testing.T) {
	labels := []string{Bottleneck, "", Operations, Operations, Operations, Longest, Time, Program, Pauses, "sda read",
		"sdb write", Note, Try, WhatIf, More}
	words := strings.Repeat("12.5 ms of it; waiting for something, (a; b) ", 9)
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var lines []profile.AnswerLine
		for _, label := range labels {
			if label == Bottleneck || label == Time || r.IntN(4) > 0 {
				lines = append(lines, profile.AnswerLine{Label: label, Text: words[:1+r.IntN(len(words)-1)]})
			}
		}
		bar := r.IntN(2) == 0
		room := mostLines - own
		if bar {
			room--
		}
		got := fit(slices.Clone(lines), bar)
		if n := rows(got); n > room || got[0].Label != Bottleneck ||
			!slices.ContainsFunc(got, func(l profile.AnswerLine) bool { return l.Label == Time }) {
			t.Fatalf("%d rows, room for %d: %+v of %+v", n, room, got, lines)
		}
	}
}

// TestBrief checks that an answer of more words than one reads at a glance keeps its devices. It does without what says
// where there is more, then without what follows a semicolon.
func TestBrief(t *testing.T) {
	lines := []profile.AnswerLine{{Label: Bottleneck, Text: strings.Repeat("word ", 60)},
		{Label: "sda read", Text: "1 GB"}, {Label: Try, Text: "one thing; and another"},
		{Label: More, Text: "iotrace show --full"}}
	bar := []profile.BarPart{{Name: "read again"}, {Name: "other"}}
	labels := func(list []profile.AnswerLine) (s string) {
		for _, l := range list {
			s += l.Label + ";"
		}
		return s
	}
	for _, c := range []struct {
		command int // words
		labels  string
		try     string
	}{
		{12, "Bottleneck;sda read;Try;More;", "one thing; and another"},
		{13, "Bottleneck;sda read;Try;", "one thing; and another"},
		{40, "Bottleneck;sda read;Try;", "one thing"},
	} {
		got := brief(lines, bar, slices.Repeat([]string{"x"}, c.command))
		if labels(got) != c.labels || got[2].Text != c.try {
			t.Errorf("a command of %d words: %+v, want %s and %q", c.command, got, c.labels, c.try)
		}
	}
}

// TestBriefLeavesOut checks what a line loses before a kind of work that is named: what faults read, what stands in
// parentheses, and the figures of the first cause.
func TestBriefLeavesOut(t *testing.T) {
	lines := []profile.AnswerLine{{Label: Bottleneck, Text: strings.Repeat("word ", 50)},
		{Label: "", Text: "reads one by one, 900 files: 900 requests of 8 KiB"},
		{Label: Program, Text: "read 5 MB in 900 calls (median 784 B) · faults read 45 kB"},
		{Label: Note, Text: "reading alone wrote 1 MB (mount -o remount,noatime /d)"}, {Label: Try, Text: "an archive (tar)"}}
	for _, c := range []struct {
		command int // words
		texts   [4]string
	}{
		{5, [4]string{lines[1].Text, lines[2].Text, lines[3].Text, lines[4].Text}},
		{8, [4]string{lines[1].Text, "read 5 MB in 900 calls (median 784 B)", lines[3].Text, lines[4].Text}},
		{10, [4]string{lines[1].Text, "read 5 MB in 900 calls", lines[3].Text, lines[4].Text}},
		{14, [4]string{lines[1].Text, "read 5 MB in 900 calls", "reading alone wrote 1 MB", lines[4].Text}},
		{18, [4]string{"reads one by one, 900 files", "read 5 MB in 900 calls", "reading alone wrote 1 MB", lines[4].Text}},
	} {
		got := brief(lines, nil, slices.Repeat([]string{"x"}, c.command))
		var texts [4]string
		for i := 1; i < len(got) && len(got) == len(lines); i++ {
			texts[i-1] = got[i].Text
		}
		if texts != c.texts {
			t.Errorf("a command of %d words: %q, want %q", c.command, texts, c.texts)
		}
	}
}

// TestUnnamed: what went through descriptors without a path is not taken for nothing, and what went through pipes is.
func TestUnnamed(t *testing.T) {
	p := &profile.Profile{Layers: []profile.Layer{{Name: "calls"}}, Calls: []profile.Call{
		{Op: trace.OpRead, Bytes: 3_000_000}, {Op: trace.OpRead, Bytes: 1_000_000}, {Op: trace.OpWrite, Bytes: 2_000_000},
		{Op: trace.OpStat},
	}}
	if _, text := did(p); text != "read 4.00 MB · wrote 2.00 MB; of which files the trace does not say" {
		t.Errorf("%q", text)
	}
	p.Files = []profile.File{{Type: trace.FilePipe, Read: &profile.Flow{Bytes: 4_000_000},
		Write: &profile.Flow{Bytes: 2_000_000}}}
	if _, text := did(p); text != nothingMoved {
		t.Errorf("%q", text)
	}
	// A trace of requests alone does not say what the calls did.
	p.Trace.Limits = []profile.Limit{{Code: string(trace.LimitNoCalls)}}
	if _, text := did(p); text != "" {
		t.Errorf("%q", text)
	}
}

// Wherever a line is cut, it ends with a whole word, and no number loses its unit.
func TestCutBetweenWords(t *testing.T) {
	for n := range 70 {
		got := row(profile.AnswerLine{
			Text: strings.Repeat("x", n) + " of it 12.5 ms to 1,763 s (40 % of all) and 4.19 MB of a file"})
		end := regexp.MustCompile(`(^| )(x*|of|it|12\.5 ms|to|1,763 s|\(?40 %|of|all\)|and|4\.19 MB|a|file) ?…?$`)
		if visible.Width(got.Text) > columns || !end.MatchString(got.Text) {
			t.Errorf("%d: %d columns: %s", n, visible.Width(got.Text), got.Text)
		}
	}
}

// What makes numbers doubtful is one line among the others.
func TestWarning(t *testing.T) {
	p := &profile.Profile{Lost: profile.Lost{Total: 1},
		Warnings: []profile.Warning{{Code: "lost", Affects: []string{"/calls"}}}}
	if text := warning(p); text != "1 event lost: numbers marked ! too low" {
		t.Error(text)
	}
	p.Trace.Damaged = 1
	p.Observations = []profile.Sentence{{Code: "failed_requests", Text: "sda: 3 requests failed with EIO. What it says."}}
	if text := warning(p); text != "1 event and parts of the file lost: numbers marked ! too low; "+
		"sda: 3 requests failed with EIO" {
		t.Error(text)
	}
	p.Lost.Total, p.Trace.Damaged = 0, 0
	if text := warning(p); text != "sda: 3 requests failed with EIO" {
		t.Error(text)
	}
}

// A bottleneck that is cut keeps how sure it is.
func TestCutKeepsCertainty(t *testing.T) {
	for _, sure := range []string{" (measured)", " (likely, 93 %)"} {
		for n := range 60 {
			got := row(profile.AnswerLine{Label: Bottleneck, Text: strings.Repeat("word ", n) + "44 % of 1.78 s" + sure})
			if visible.Width(got.Text) > columns || !strings.HasSuffix(got.Text, sure) {
				t.Errorf("%d: %d columns: %s", n, visible.Width(got.Text), got.Text)
			}
		}
	}
}

// Of pauses of which a few are most of the time the longest is told, not the median alone.
func TestFewLongPauses(t *testing.T) {
	think := &profile.Dist{Count: 1000, P50: 240, Max: 4_000_000}
	p := &profile.Profile{Copies: []profile.Copy{{Method: "read_write", Bytes: 5 << 20, WallNS: 10_000_000,
		ThinkShare: 0.67, Think: think, Gaps: &profile.Gaps{ReadWrite: think}}}}
	if got, want := paused(p), "67 %: median 240 ns between calls, longest 4.00 ms"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if think.P50 = 6700; strings.Contains(paused(p), "longest") {
		t.Errorf("pauses of one length: %s", paused(p))
	}
}

// What is cut to a row ends where a clause does, if one ends late enough: with no word that asks for more.
func TestCutAtClauses(t *testing.T) {
	for text, want := range map[string]string{
		"the program and its libraries had to be read, such as libLLVM-14.so.1: 20 waits for 104 MB": "the program and " +
			"its libraries had to be read",
		"it was ready to run, but the CPUs were 100 % busy (compare.test and report.test)": "it was ready to " +
			"run, but the CPUs were 100 % busy",
		"1 file, 5.00 MB, read/write of 8 KiB · 499 MB/s at 122,031 IOPS (145 MB/s durable)": "1 file, 5.00 MB, read/write " +
			"of 8 KiB · 499 MB/s at 122,031 IOPS",
		"one file, of a name without any mark in it that is long enough to need a second row for its end": "one file, of a " +
			"name without any mark in it that is long enough …",
	} {
		if got := row(profile.AnswerLine{Label: Note, Text: text}).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Many small requests do not hide the larger ones that moved the bytes.
func TestSizesOfRequests(t *testing.T) {
	d := profile.Dist{Count: 10, ByBytes: 1 << 20, Top: []profile.Value{{Value: 4096, Count: 8}}}
	if got := sizes(&d); got != "4 KiB to 1 MiB" {
		t.Error(got)
	}
	if d.ByBytes = 4096; sizes(&d) != "4 KiB" {
		t.Error(sizes(&d))
	}
}

// Nor do many small calls.
func TestSizesOfCalls(t *testing.T) {
	d := profile.Dist{Count: 69, P50: 4096, ByBytes: 119 << 20, Top: []profile.Value{{Value: 4096, Count: 60}}}
	if got := usual(&d); got != " of 4 KiB to 119 MiB" {
		t.Error(got)
	}
	if d.ByBytes = 4096; usual(&d) != " of 4 KiB" {
		t.Error(usual(&d))
	}
	if d.Top = nil; usual(&d) != " (median 4 KiB)" {
		t.Error(usual(&d))
	}
}

// TestFilesThatWereCopied: a file that was appended to three times is one file, so are three that became one; what was
// interrupted, or could not be compared, is said to be so.
func TestFilesThatWereCopied(t *testing.T) {
	c := func(source, destination string) profile.Copy {
		return profile.Copy{Source: source, Destination: destination, Method: "read_write", Bytes: 1 << 20,
			SourceSize: 4 << 20, Certainty: "traced", Evidence: "memory"}
	}
	broken, unseen := c("a", "b"), c("a", "b")
	broken.Interrupted, unseen.Certainty = true, "likely"
	another := broken
	another.Destination = "c"
	for want, list := range map[string][]profile.Copy{
		"1 file, 3.15 MB, read/write":                                      {c("a", "b"), c("a", "b"), c("a", "b")},
		"3 files, 3.15 MB, read/write":                                     {c("a", "d"), c("b", "d"), c("c", "d")},
		"2 files, 2.10 MB, read/write":                                     {c("a", "b"), c("a", "c")},
		"2 files, 2.10 MB, 1 interrupted, read/write":                      {c("a", "b"), another},
		"1 file, 1.05 MB of 4.19 MB before it was interrupted, read/write": {broken},
		"1 file, 1.05 MB, read/write (contents not compared)":              {unseen},
	} {
		if text := copies(&profile.Profile{Copies: list}, list); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

// Each drive that the workload used has a line, none that only others used, or that its program was read from.
func TestDrivesThatWereUsed(t *testing.T) {
	flow := func(bytes int64) *profile.Flow {
		return &profile.Flow{Count: 9, Bytes: bytes, Depth: profile.Depth{BusyNS: bytes}}
	}
	p := &profile.Profile{TimeStack: profile.TimeStack{TotalNS: 1e9},
		Layers: []profile.Layer{{Name: "calls", Read: flow(64 << 20), Write: flow(64 << 20)}},
		Devices: []profile.Device{{Name: "vda", Level: 1, Read: flow(40 << 10)},
			{Name: "sda", Level: 1, Read: flow(64 << 20)}, {Name: "sdb", Level: 1, Write: flow(64 << 20)},
			{Name: "sdc", Level: 1, Foreign: profile.Share{Count: 9, Write: 900 << 20}}}}
	var labels []string
	for _, d := range drives(p) {
		labels = append(labels, d.Label)
	}
	if got := strings.Join(labels, ", "); got != "sda read, sdb write" {
		t.Errorf("lines of %s", got)
	}
	p.Devices = p.Devices[:1]
	if l := drives(p); len(l) != 0 {
		t.Errorf("a drive that a program was read from has a line: %+v", l)
	}
}
