package content

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/internal/visible"
)

// JSON writes a profile, a gap or a comparison as one indented JSON object, described
// in docs/json.md. Characters that could act on a terminal or hide text are written as
// \u escapes, so it may be printed as it is.
func JSON(w io.Writer, object any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(object); err != nil {
		return fmt.Errorf("encoding as JSON: %w", err)
	}
	_, err := w.Write(visible.AppendJSON(nil, b.Bytes()))
	return err
}
