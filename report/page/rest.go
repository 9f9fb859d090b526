package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// Rest are the rows that are not shown at once, packed as report.js reads them: a cell is
// its text, or that with what it sorts by, its full text and its mark.
func (v *tableView) Rest() (string, error) {
	if v.First >= len(v.Rows) {
		return "", nil
	}
	all := make([][]any, len(v.Rows)-v.First)
	for i, row := range v.Rows[v.First:] {
		for _, c := range row {
			if c.Value == "" && c.Full == "" && c.Mark == "" {
				all[i] = append(all[i], c.Text)
			} else {
				all[i] = append(all[i], [4]string{c.Text, c.Value, c.Full, c.Mark})
			}
		}
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if err := json.NewEncoder(w).Encode(all); err != nil {
		return "", fmt.Errorf("packing rows: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("packing rows: %w", err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
