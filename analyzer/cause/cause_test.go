package cause

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/docs"
)

var update = flag.Bool("update", false, "write the list in docs/verdict.md")

// The page lists the causes as the program has them; go test -update writes it.
func TestPageOfCauses(t *testing.T) {
	const file, begins, ends = "../../docs/verdict.md", "<!-- causes: written by go test -update -->\n",
		"<!-- end of causes -->\n"
	docs.Check(t, file, begins, ends, Table(), *update)
}

// Each code that the program can say has one entry, and the entry is complete.
func TestCausesAreComplete(t *testing.T) {
	source, err := os.ReadFile("cause.go")
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]int{}
	for _, c := range All() {
		entries[c.Code]++
		if c.Title == "" || c.Takes == "" || c.When == "" || c.Sure == "" || c.Try == "" || c.Counted.Right > c.Counted.Of {
			t.Errorf("%+v", c)
		}
	}
	listed, _, _ := strings.Cut(string(source), "// How sure a cause is")
	codes := regexp.MustCompile(`= "([a-z_]+)" +//`).FindAllStringSubmatch(listed, -1)
	for _, m := range codes {
		if entries[m[1]] != 1 {
			t.Errorf("%s has %d entries", m[1], entries[m[1]])
		}
	}
	if len(codes) != len(entries) {
		t.Errorf("%d codes, %d entries", len(codes), len(entries))
	}
}
