package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/samples"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

// evil has something of everything that a terminal, a spreadsheet, a page or a list acts upon. Its colour is one of
// ours.
const evil = "=1+2\x1b]0;evil\a\x1b[2J\x1b[1;31m\u009b31m\x9b2J\u202etxt\u2066\u200b\x7f\r\nFORGED|<img src=x>`id`"

// choices are texts by which a command decides what to do: with evil in them it does less.
var choices = []string{"Header.OS", "Header.Backend", "Header.Scope", "Header.Arch", "Limit.Code", "End.Reason",
	"File.FSType", "Report.Type", "Review.Type", "Sustained.Type", "Step.Op", "Step.Access", "Task.Measure", "Task.Work",
	"Point.Over", "Point.Op", "Comparison.Verdict"}

// poison adds evil to all texts, or to all by which nothing is decided.
func poison(choose bool) func(field, text string) string {
	return func(field, text string) string {
		switch {
		case choose && slices.Contains(choices, field):
			return text
		case field == "Process.Args":
			return text + evil + "\x00" + evil
		case field == "File.Path":
			return text + "/" + evil
		case strings.HasPrefix(field, "Device.") || field == "Header.Calls":
			return evil + text
		}
		return text + evil
	}
}

// evilFiles makes traces and results of which every text is evil, under names that are.
func evilFiles(t *testing.T, dir string, choose bool) (traces, results []string) {
	t.Helper()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for i, file := range originals(t) {
		if len(file) > 7000 || !choose && i > 0 {
			continue // it takes longer, and says no more
		}
		b, err := samples.Texts(file, poison(choose))
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, write(strings.ReplaceAll(evil, "/", "")+string(rune('a'+i))+".iotrace", b))
	}
	saved, err := filepath.Glob("../../report/benchmarks/testdata/*.json")
	if err != nil || len(saved) == 0 {
		t.Fatal("no results:", err)
	}
	for _, path := range saved {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, write(evil+filepath.Base(path), poisonJSON(t, text, choose)))
	}
	return traces, results
}

// poisonJSON does to results what is done to a trace, except for what they are.
func poisonJSON(t *testing.T, text []byte, choose bool) []byte {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	keep := []string{"type", "started"}
	if choose {
		keep = append(keep, "op", "access", "measure", "work", "over", "verdict", "track", "pick", "sync", "method", "cache")
	}
	var walk func(key string, v any) any
	walk = func(key string, v any) any {
		switch v := v.(type) {
		case string:
			if !slices.Contains(keep, key) {
				return v + evil
			}
		case []any:
			for i := range v {
				v[i] = walk(key, v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = walk(k, v[k])
			}
		}
		return v
	}
	out, err := json.Marshal(walk("", v))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// evilBackend says evil things of the machine.
var evilBackend = backends.Backend{Name: evil, About: evil, Open: fakeBackend.Open, Probe: func() []tracer.Check {
	return []tracer.Check{{Name: evil, OK: true, Required: true, Found: evil}, {Name: evil, Found: evil, Remedy: evil}}
}}

// evilLines are command lines of everything that prints what somebody else has chosen, and needs no disk for it.
func evilLines(dir string, traces, results []string) (lines [][]string) {
	first := traces[0]
	for _, path := range slices.Concat(traces, results) {
		lines = append(lines, []string{"show", path}, []string{"show", "--full", path}, []string{"show", "--json", path},
			[]string{"report", "-f", "-o", "-", path}, []string{"show", "--strict", path})
	}
	for i, path := range traces {
		out := filepath.Join(dir, "out")
		lines = append(lines, []string{"events", path}, []string{"events", "--json", path}, []string{"whatif", path},
			[]string{"whatif", "--json", path}, []string{"whatif", "--depth", "4", path}, []string{"diff", path, first},
			[]string{"diff", "--json", path, first}, []string{"diff", "-f", "-o", "-", path, first}, []string{"diff", "-a",
				path},
			[]string{"gap", "--against", "adm/seq1m-qd8/*", path}, []string{"gap", "--against", "adm/seq1m-qd8/write", path},
			[]string{"gap", "--json", "--against", "adm/seq1m-qd8/read", path},
			[]string{"gap", "--against", "adm/seq1m-qd8/read", "-f", "-o", "-", path},
			[]string{"export", "-f", "--to", "csv", "-o", filepath.Join(out, "csv"), path},
			[]string{"merge", "-f", "-o", filepath.Join(dir, evil), path, first}, []string{"merge", "-o", evil, path, path},
			[]string{"show", path + evil}, []string{"replay", "--dir", evil, path}, []string{"report", path})
		for _, r := range results {
			lines = append(lines, []string{"diff", path, r}, []string{"gap", "--against", r, path})
			if i == 0 {
				lines = append(lines, []string{"whatif", "--drive", r, path}, []string{"diff", r, r}, []string{"diff", "-f",
					"-o", "-", r, r})
			}
		}
		lines = slices.Concat(lines, exports(path), folders(path))
	}
	damaged := filepath.Join(dir, evil+"damaged")
	if b, err := os.ReadFile(first); err == nil {
		_ = os.WriteFile(damaged, append(b[:len(b)/2:len(b)/2], evil...), 0o600)
	}
	noTrace := filepath.Join(dir, evil+"none")
	_ = os.WriteFile(noTrace, []byte(evil+strings.Repeat("\nx", 99)), 0o600)
	for _, path := range []string{damaged, noTrace, evil} {
		lines = append(lines, []string{"show", path}, []string{"events", path}, []string{"export", "--to", "jsonl", path},
			[]string{"whatif", path}, []string{"import", "-o", "-", path}, []string{"replay", path}, []string{"show",
				"--json", path},
			[]string{"import", "-f", "-o", filepath.Join(dir, "i"), "--from", "strace", path}, []string{"merge", "-o", "m",
				path, path},
			[]string{"gap", "--against", evil, path}, []string{"whatif", "--drive", path, first})
	}
	return append(lines, []string{"doctor"}, []string{"doctor", "--json"}, []string{evil}, []string{"show", "--" + evil},
		[]string{"bench", "--list", evil}, []string{"bench", "--dir", evil}, []string{"bench", "sustained", "--dir", evil},
		[]string{"record", "--backend", evil, "true"}, []string{"export", "--to", evil, first}, []string{"events",
			"--kind", evil},
		[]string{"record", "-o", filepath.Join(dir, evil, evil), evil}, []string{"record", "-q", evil}, []string{"version"},
		[]string{"record", "--ready-file", filepath.Join(dir, evil, evil), "-f", "-o", filepath.Join(dir, "r.iotrace"), "sh",
			"-c", ": \x1b[2J\u202e"}, []string{"diff", "--fail-if", evil, first, first}, []string{"__complete", "show", dir})
}

// Whatever a trace, results, names of files and arguments hold: no command prints a character of it that does more
// than show. That holds for what commands print, and for the streams behind them.
func TestNothingHiddenIsPrinted(t *testing.T) {
	for name, choose := range map[string]bool{"all": false, "names": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			traces, results := evilFiles(t, dir, choose)
			t.Chdir(dir) // where files without a name are made
			for _, line := range evilLines(dir, traces, results) {
				s, out, warned := cli.FakeStreams()
				out.Colored, warned.Colored = true, true
				a := &cli.App{Streams: s, Backends: backends.List{evilBackend, fakeBackend}, Names: line}
				app := newRoot(a) // without the guard of run
				app.SetArgs(line)
				if _, err := app.ExecuteC(); err != nil {
					a.Warn(err)
				}
				checkPrinted(t, line, out.String())
				checkPrinted(t, line, warned.String())
				if choose {
					continue
				}
				s, out, warned = cli.FakeStreams()
				run(line, s, backends.List{evilBackend, fakeBackend})
				checkPrinted(t, line, out.String())
				checkPrinted(t, line, warned.String())
			}
			checkFiles(t, dir)
		})
	}
}

// checkFiles looks at what was exported, which a person may see with other programs.
func checkFiles(t *testing.T, dir string) {
	t.Helper()
	n := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".csv":
			checkPrinted(t, []string{"csv"}, string(text))
			checkCells(t, path, text)
		case ".fio", ".iolog", ".txt", ".html":
			checkPrinted(t, []string{filepath.Ext(path)}, string(text))
		default:
			return nil
		}
		n[filepath.Ext(path)]++
		return nil
	})
	if err != nil || n[".csv"] == 0 || n[".fio"] == 0 || n[".iolog"] == 0 || n[".txt"] == 0 || n[".html"] == 0 {
		t.Errorf("looked at %v: %v", n, err)
	}
}

// checkCells reports cells that a spreadsheet computes.
func checkCells(t *testing.T, path string, text []byte) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	for _, row := range rows {
		for _, cell := range row {
			for _, part := range strings.Split(cell, ";") {
				if part != "" && strings.ContainsAny(part[:1], "=+@") {
					t.Errorf("%s: a cell is computed: %q", filepath.Base(path), cell)
					return
				}
			}
		}
	}
}

// checkPrinted reports what is not text, colours of ours apart, or is text of another meaning than the one it should
// have.
func checkPrinted(t *testing.T, line []string, text string) {
	t.Helper()
	if len(line) > 2 && line[0] == "export" && line[2] == "perfetto" {
		return // binary
	}
	for _, own := range visible.Ink {
		text = strings.ReplaceAll(text, own, "")
	}
	shown := line[:min(len(line), 4)]
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r != '\n' && !(r == '\t' && line[0] == "report") && !unicode.IsPrint(r) ||
			r == utf8.RuneError && n == 1 {
			t.Errorf("%q prints %q: %q", shown, text[i:i+n], text[max(0, i-60):min(i+20, len(text))])
			return
		}
		i += n
	}
	if at := strings.Index(text, "\nFORGED"); at >= 0 && !strings.HasSuffix(text[:at], `\n`) {
		// not a long line that is broken there
		t.Errorf("%q breaks a line: %q", shown, text[max(0, at-60):min(at+20, len(text))])
	}
	if at := strings.Index(text, "<img src=x>"); at >= 0 && strings.HasPrefix(strings.ToLower(text), "<!doctype") {
		t.Errorf("%q has markup: %q", shown, text[max(0, at-60):min(at+20, len(text))])
	}
}
