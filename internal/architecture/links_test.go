package architecture

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	target  = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	dropped = regexp.MustCompile(`[^\pL\pN _-]`)
)

// TestLinks: what documents link to within the tree is there, the headings too.
func TestLinks(t *testing.T) {
	texts := prose(t)
	maps.DeleteFunc(texts, func(name, _ string) bool { return filepath.Ext(name) != ".md" })
	for name, text := range texts {
		for _, l := range broken(name, text, texts) {
			t.Errorf("%s: %s leads nowhere", name, l)
		}
	}
}

// The check finds a file and a heading that are not there.
func TestBrokenLinksAreFound(t *testing.T) {
	texts := map[string]string{"docs/a.md": "# One `two`: three\n\n## Same\n\n## Same\n", "README.md": ""}
	text := "[](docs/a.md#one-two-three) [](docs/a.md#same-1) [](https://example.org/x#y) " +
		"[](docs/a.md#two) [](docs/b.md) [](#here)"
	if got := broken("README.md", text, texts); !slices.Equal(got, []string{"docs/a.md#two", "docs/b.md", "#here"}) {
		t.Errorf("%q are broken", got)
	}
}

// broken are the links of a document that lead nowhere; texts are all documents.
func broken(name, text string, texts map[string]string) (list []string) {
	for _, m := range target.FindAllStringSubmatch(code.ReplaceAllString(text, "code"), -1) {
		if strings.Contains(m[1], "://") {
			continue
		}
		file, anchor, _ := strings.Cut(m[1], "#")
		if file == "" {
			file = name
		} else {
			file = filepath.Join(filepath.Dir(name), file)
		}
		other, known := texts[file]
		if _, err := os.Stat(filepath.Join("../..", file)); !known && err != nil || anchor != "" && !anchors(other)[anchor] {
			list = append(list, m[1])
		}
	}
	return list
}

// anchors are those of the headings of a document, as forges make them.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		a := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(links.ReplaceAllString(m[1], "")), ""), " ", "-")
		for n, base := 1, a; found[a]; n++ {
			a = fmt.Sprintf("%s-%d", base, n)
		}
		found[a] = true
	}
	return found
}
