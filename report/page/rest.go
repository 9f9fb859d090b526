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
	text, err := json.Marshal(all)
	if err != nil {
		return "", fmt.Errorf("packing rows: %w", err)
	}
	return packed(text)
}

// chartData is what report.js draws: JSON, packed where there is much of it.
type chartData struct {
	JSON   markup
	Packed bool
}

// mostPlain is how long the data may be that is not packed: one can read it, and it is there at once.
const mostPlain = 200_000

// pack takes the data of a page.
func (c *chartData) pack(data any) error {
	text, err := json.Marshal(data) // escapes <, > and &: nothing in it can end the script element
	if err != nil {
		return fmt.Errorf("encoding the charts: %w", err)
	}
	c.JSON = markup(text)
	if c.Packed = len(text) > mostPlain; c.Packed {
		small, err := packed(text)
		if err != nil {
			return err
		}
		c.JSON = markup(small)
	}
	return nil
}

// packed is text as the page unpacks it: gzip in base64.
func packed(text []byte) (string, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		return "", fmt.Errorf("packing: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("packing: %w", err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
