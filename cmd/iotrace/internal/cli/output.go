package cli

import (
	"encoding/json"
	"fmt"

	"github.com/iotrace/iotrace/internal/visible"
)

// PrintJSON prints a value as indented JSON.
func PrintJSON(out Stream, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		_, err = out.Write(append(visible.AppendJSON(nil, text), '\n'))
	}
	if err != nil {
		return fmt.Errorf("printing JSON: %w", err)
	}
	return nil
}

// PrintJSONLine prints a value as JSON on a line of its own.
func PrintJSONLine(out Stream, v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = out.Write(append(visible.AppendJSON(nil, text), '\n'))
	}
	return err
}

// ShowProgress keeps a line on a terminal, and answers who asks for it, until the returned function is called.
func ShowProgress(out Stream, line func() string) (end func()) {
	requests, stopRequests := StatusRequests()
	p := NewProgress(out, requests, func(bool) (string, bool) { return line(), false })
	return func() { p.Stop(); stopRequests() }
}
