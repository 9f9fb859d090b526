package page

import (
	"testing"

	"github.com/iotrace/iotrace/report/table"
)

// A page has words whole that a terminal has no room for.
func TestWordsOfTables(t *testing.T) {
	const long = "from a write to the next read"
	words := func(s string) string { return s }
	v := view((&table.Table{}).Fill(table.Words("", "", 0, []string{long, "short"}, words)), "")
	if v.Rows[0][0].Text != long || v.Rows[1][0].Text != "short" {
		t.Errorf("%+v", v.Rows)
	}
}
