package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
)

// diffs are comparisons of every form.
func diffs(t *testing.T) map[string]*content.Diff {
	pattern := func(name string) *compare.Side {
		found, err := baseline.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		return compare.FromPattern(&found[0])
	}
	trace := func(name string) *compare.Side { return compare.FromProfile(name+".iotrace", load(t, name)) }
	one := func(a, b *compare.Side) *content.Diff {
		return &content.Diff{Comparisons: []*compare.Comparison{compare.Compare(a, b)}}
	}
	ranks := compare.Ranking(trace("copy"), baseline.Catalogue())
	hostile := trace("hostile")
	hostile.Name = "</script>\x1b[31m\u202e.iotrace"
	return map[string]*content.Diff{
		"patterns": one(pattern("adm/seq1m-qd8/read"), pattern("adm/rnd4k-qd1/read")),
		"pattern":  one(trace("copy"), pattern("adm/seq1m-qd8/write")),
		"traces":   one(trace("copy"), trace("lossy")),
		"empty":    one(trace("empty"), trace("copy")),
		"hostile":  one(hostile, pattern("copy/loop-128k")),
		"ranking":  {Ranking: ranks, Comparisons: []*compare.Comparison{ranks[0].Comparison}},
		"several": {Comparisons: []*compare.Comparison{
			compare.Compare(trace("copy"), trace("lossy")), compare.Compare(trace("copy"), pattern("adm/seq1m-qd8/read")),
		}},
	}
}

func TestDiffGolden(t *testing.T) {
	all := diffs(t)
	for _, name := range []string{"patterns", "pattern", "traces", "ranking", "several", "hostile"} {
		golden(t, "diff-"+name+".txt", func(w io.Writer) error { return text.Diff(w, all[name], text.Options{}) })
	}
	golden(t, "diff-patterns-wide-color.txt", func(w io.Writer) error {
		return text.Diff(w, all["patterns"], text.Options{Width: 140, Color: true})
	})
	golden(t, "diff-patterns.json", func(w io.Writer) error { return content.DiffJSON(w, all["patterns"]) })
}

// Whatever is compared, every form of it can be written, nothing in it acts on
// a terminal or ends the page's script, and lines fit.
func TestDiffOfAnything(t *testing.T) {
	for name, d := range diffs(t) {
		for form, write := range map[string]func(io.Writer) error{
			"text": func(w io.Writer) error { return text.Diff(w, d, text.Options{Width: 80}) },
			"json": func(w io.Writer) error { return content.DiffJSON(w, d) },
			"html": func(w io.Writer) error { return page.Diff(w, d) },
		} {
			var b, again bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatalf("%s as %s: %v", name, form, err)
			}
			if err := write(&again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
				t.Errorf("%s as %s is not the same twice (%v)", name, form, err)
			}
			out := b.String()
			if i := strings.IndexAny(out, "\x1b\u202e"); i >= 0 && form != "html" || strings.Contains(out, "</script>\x1b") {
				t.Errorf("%s as %s: a name acts on the reader", name, form)
			}
			switch form {
			case "json":
				var object map[string]any
				if err := json.Unmarshal(b.Bytes(), &object); err != nil || object["type"] == nil || object["version"] != 1.0 {
					t.Errorf("%s: %v, type %v", name, err, object["type"])
				}
			case "html":
				if n := strings.Count(out, "</script>"); n != 3 {
					t.Errorf("%s: the page has %d ends of scripts, want 3", name, n)
				}
			case "text":
				for _, line := range strings.Split(out, "\n") {
					if visible.Width(line) > 90 {
						t.Errorf("%s: a line of %d columns: %s", name, visible.Width(line), line)
					}
					if strings.ContainsFunc(line, unicode.IsControl) {
						t.Errorf("%s: control characters in %q", name, line)
					}
				}
			}
		}
	}
}
