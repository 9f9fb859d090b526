package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestWords checks that the page words quantities as internal/unit does, whose test
// reads the same list.
func TestWords(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "unit", "testdata", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors map[string][]struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	b := open(t, write(t, stored(t, "empty")), 800, 600)
	got := eval[map[string][]string](b, fmt.Sprintf(
		"Object.fromEntries(Object.entries(%s).map(([q, list]) => [q, list.map((v) => iotrace.print[q](v.value))]))", text))
	for quantity, list := range vectors {
		for i, v := range list {
			if i >= len(got[quantity]) || got[quantity][i] != v.Text {
				t.Errorf("%s: the page says %q, want %q", quantity, got[quantity][min(i, len(got[quantity])-1)], v.Text)
			}
		}
	}
}
