package architecture

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	longest = 30 // words of a sentence; one that needs more has two ideas in it
	average = 20 // words of the sentences of a text
	enough  = 10 // sentences for an average
)

// foreign are words and turns that the field does not use, and what it says instead.
var foreign = turns(map[string]string{
	`(told|tells?|telling) of`:   "reports, names, describes",
	`(is|are) none of`:           "does not belong to, does not count as",
	`(takes?|taken) for granted`: "assumes",
	`(came|comes?) of it`:        "the result",
	`stands? (once|beside|behind|above|below|before|there|here|in|only|which|elsewhere)`: "is, follows, is listed",
	`(is|are) (had|to be had)`:                  "exists, is available",
	`(rooms|knots?|strays?|bones|witness(es)?)`: "package, cycle, leftover, core, test",
	`what of (it|them|that|those)`:              "which part of it",
	`(mends?|mended|foretells?)`:                "fix, predict",
})

func turns(patterns map[string]string) map[*regexp.Regexp]string {
	compiled := map[*regexp.Regexp]string{}
	for p, better := range patterns {
		compiled[regexp.MustCompile(`(?i)\b`+p+`\b`)] = better
	}
	return compiled
}

// TestSentences: documents and the comments of packages are in short sentences and in the words of the field.
func TestSentences(t *testing.T) {
	for name, text := range prose(t) {
		for _, f := range faults(text) {
			t.Errorf("%s:%d: %s", name, f.line, f.text)
		}
	}
}

// faults are what is wrong with the prose of a text, with the lines where it is.
func faults(text string) (list []sentence) {
	count, sum := 0, 0
	for _, s := range sentences(text) {
		n := words(s.text)
		if n > 3 { // a cell of a name or a figure is no sentence
			count, sum = count+1, sum+n
		}
		if n > longest {
			list = append(list, sentence{s.line, fmt.Sprintf("a sentence of %d words, at most %d: split it: %s",
				n, longest, s.text)})
		}
		for turn, better := range foreign {
			if found := turn.FindString(code.ReplaceAllString(s.text, "")); found != "" {
				list = append(list, sentence{s.line, fmt.Sprintf("%q, better %s: %s", found, better, s.text)})
			}
		}
	}
	if count >= enough && sum > average*count {
		list = append(list, sentence{1, fmt.Sprintf("sentences have %.1f words on average, at most %d: split the long ones",
			float64(sum)/float64(count), average)})
	}
	return list
}

// The check finds what it is for, and lets pass what is no sentence.
func TestSentencesAreFound(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", longest)) + " more."
	for name, c := range map[string]struct {
		text string
		line int // of the first fault, 0 for none
	}{
		"a paragraph":               {"# Title\n\nShort.\nStill short. " + long + "\n", 3},
		"over several lines":        {"Short.\n\n" + strings.ReplaceAll(long, " ", "\n") + "\n", 3},
		"an item":                   {"- short\n- " + long + "\n", 2},
		"a part of an item":         {"- short\n\n    " + long + "\n", 3},
		"a cell":                    {"| a | b |\n|---|---|\n| `x` | " + long + " |\n", 3},
		"with links and code":       {strings.Replace(long, "word word", "[word](https://example.org/a) `c d`", 1), 1},
		"brackets at the end":       {"(Short.) " + long, 1},
		"a list of words":           {"Kinds: " + strings.Repeat("some word, ", longest) + "more.", 1},
		"long ones on average":      {strings.Repeat(strings.Repeat("word ", average)+"more. ", enough), 1},
		"too few for an average":    {strings.Repeat(strings.Repeat("word ", average)+"more. ", enough-1), 0},
		"a turn of no field":        {"Short.\n\nA line says what came of it.", 3},
		"such a turn in code":       {"Call `what came of it` twice.", 0},
		"two sentences":             {strings.Repeat(strings.Repeat("word ", longest-1)+"end. ", 2), 0},
		"code between fences":       {"Short.\n\n```\n" + long + "\n```\n", 0},
		"indented code":             {"Short:\n\n    " + long + "\n", 0},
		"a heading":                 {"## " + long + "\n", 0},
		"a list of values":          {"*Op*: " + strings.Repeat("0 the read, ", longest) + "48 poll", 0},
		"a list of explained names": {"Reasons: " + strings.Repeat("`data` (moved, by a call), ", longest) + "`more`.", 0},
		"breaks in a cell":          {"| " + strings.Repeat("some words<br>", longest) + " |\n", 0},
	} {
		got := 0
		if list := faults(c.text); len(list) > 0 {
			got = list[0].line
		}
		if got != c.line {
			t.Errorf("%s: the first fault is in line %d, want %d", name, got, c.line)
		}
	}
}

// prose are the documents and the comments of packages, by the names of their files.
func prose(t *testing.T) map[string]string {
	out, err := exec.Command("git", "-C", "../..", "ls-files", "--", "*.md", "*.go").Output()
	if err != nil {
		t.Skip("this is no checkout of git: ", err)
	}
	found := map[string]string{}
	for name := range strings.FieldsSeq(string(out)) {
		file := filepath.Join("../..", name)
		dir := filepath.Dir(name)
		switch {
		case filepath.Ext(name) == ".md" && (dir == "." || dir == "docs"):
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found[name] = string(text)
		case filepath.Ext(name) == ".go" && !strings.Contains(name, "testdata/"):
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if parsed.Doc != nil {
				found[name] = parsed.Doc.Text()
			}
		}
	}
	return found
}

type sentence struct {
	line int // in which its paragraph, item or row begins
	text string
}

var (
	fence  = regexp.MustCompile("^\\s*(```|~~~)")
	item   = regexp.MustCompile(`^\s*([-*+]|\d+\.)\s+`)
	cells  = regexp.MustCompile(`\s\|\s|\s*<br>\s*`)
	breaks = regexp.MustCompile(`[.!?][)*"”’]*\s+`)
	code   = regexp.MustCompile("`+[^`]*`+")
	links  = regexp.MustCompile(`\]\([^)]*\)`)
	aside  = regexp.MustCompile(`\s*\([^()]*\)`)
	word   = regexp.MustCompile(`[\pL\pN][\pL\pN’'.,/-]*`)
	value  = regexp.MustCompile("^(and |or )?[\\d`*]")
	brief  = regexp.MustCompile(`\b(e\.g|i\.e|etc|vs|cf)\.$`)
)

// sentences are those of a text in Markdown: of its paragraphs, items of lists and cells of tables.
func sentences(text string) (list []sentence) {
	var block []string
	start, fenced, listed := 0, false, false
	flush := func() {
		list = append(list, split(start, strings.Join(block, " "))...)
		block = nil
	}
	blank := true
	for i, line := range strings.Split(text, "\n") {
		bare := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		switch {
		case fence.MatchString(line):
			flush()
			fenced = !fenced
		case fenced || bare == "" || strings.HasPrefix(bare, "#") || strings.HasPrefix(bare, "<!--"):
			flush()
		case indented && blank && !listed: // code
			continue
		case bare[0] == '|':
			flush()
			for _, cell := range cells.Split(strings.Trim(bare, "|"), -1) {
				list = append(list, split(i+1, cell)...)
			}
		default:
			begins := item.FindString(line)
			listed = begins != "" || listed && (indented || len(block) > 0 || line[0] == ' ')
			if begins != "" {
				flush()
			}
			if len(block) == 0 {
				start = i + 1
			}
			block = append(block, strings.TrimSpace(line[len(begins):]))
		}
		blank = bare == ""
	}
	flush()
	return list
}

// split takes a paragraph apart into its sentences.
func split(line int, text string) (list []sentence) {
	text = code.ReplaceAllStringFunc(text, strings.NewReplacer(". ", " ", "! ", " ", "? ", " ").Replace)
	from := 0
	for _, at := range breaks.FindAllStringIndex(text, -1) {
		if !brief.MatchString(text[from : at[0]+1]) {
			list = append(list, sentence{line, strings.TrimSpace(text[from:at[1]])})
			from = at[1]
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		list = append(list, sentence{line, rest})
	}
	return list
}

// words counts those of a sentence. Code is one word, and a list of values or names after a colon is none.
func words(s string) int {
	s = links.ReplaceAllString(s, "]")
	for before, after := range colons(s) {
		items := regexp.MustCompile(`[,;]\s+`).Split(aside.ReplaceAllString(after, ""), -1)
		values := len(items) >= 6
		for _, item := range items {
			values = values && value.MatchString(item)
		}
		if values {
			s = before
			break
		}
	}
	return len(word.FindAllString(code.ReplaceAllString(s, " code "), -1))
}

// colons are the ways to divide a sentence at one of its colons.
func colons(s string) func(yield func(before, after string) bool) {
	return func(yield func(before, after string) bool) {
		for i := range s {
			if strings.HasPrefix(s[i:], ": ") && !yield(s[:i], s[i+2:]) {
				return
			}
		}
	}
}
