package benchmarks

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/docs"
)

const (
	document = "../../docs/baselines.md"
	from     = "<!-- catalogue: go test ./report/benchmarks -run Document -update -->\n"
	until    = "<!-- end of the catalogue -->\n"
)

// The tables of the document are made of what `bench --list` prints.
func TestDocumentListsTheCatalogue(t *testing.T) {
	docs.Check(t, document, from, until, catalogueTables(), *update)
}

// Every line that `bench --list` has is in the document.
func TestDocumentHasEveryLineOfTheList(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var list bytes.Buffer
	if err := WriteList(&list, baseline.Catalogue()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(list.String()) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
		for _, prefix := range []string{"runs: ", "source: ", "inferred: "} {
			line = strings.TrimPrefix(line, prefix)
		}
		if !bytes.Contains(text, []byte(cellText(line))) {
			t.Errorf("%s lacks %q", document, line)
		}
	}
}

// catalogueTables is a section per suite: its sources, its inferences, its
// patterns.
func catalogueTables() string {
	var b strings.Builder
	var suites []string
	members := map[string][]baseline.Pattern{}
	for _, p := range baseline.Catalogue() {
		suite, _, _ := strings.Cut(p.Name, "/")
		if members[suite] == nil {
			suites = append(suites, suite)
		}
		members[suite] = append(members[suite], p)
	}
	for _, suite := range suites {
		fmt.Fprintf(&b, "\n### %s\n", suite)
		for _, source := range distinct(members[suite], func(p baseline.Pattern) []string { return []string{p.Source} }) {
			fmt.Fprintf(&b, "\nSource: %s.\n", cellText(source))
		}
		inferred := distinct(members[suite], func(p baseline.Pattern) (all []string) {
			for _, i := range p.Inferred {
				all = append(all, fmt.Sprintf("%s (%s)", i.Value, i.Why))
			}
			return all
		})
		if len(inferred) > 0 {
			b.WriteString("\nInferred, not known:\n\n")
		}
		for _, i := range inferred {
			fmt.Fprintf(&b, "- %s\n", cellText(i))
		}
		b.WriteString("\n| pattern | what it is | steps | runs |\n|---|---|---|---|\n")
		for _, p := range members[suite] {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, cellText(p.Title),
				cellText(strings.Join(describeSteps(p.Steps), "<br>")), cellText(repetition(p)))
		}
	}
	b.WriteByte('\n')
	return b.String()
}

func distinct(patterns []baseline.Pattern, of func(baseline.Pattern) []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, p := range patterns {
		for _, text := range of(p) {
			if !seen[text] {
				seen[text] = true
				all = append(all, text)
			}
		}
	}
	return all
}

// cellText is text as it can stand in a cell of a table.
func cellText(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`).Replace(text)
}
