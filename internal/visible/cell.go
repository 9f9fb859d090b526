package visible

import (
	"encoding/csv"
	"io"
	"strings"
)

// CSVWriter writes rows of comma-separated values that no program takes for anything but text and numbers. Everything
// that is written as CSV goes through it.
type CSVWriter struct {
	*csv.Writer
	row []string // used again
}

// NewCSV writes rows to w; they are there after Flush.
func NewCSV(w io.Writer) *CSVWriter { return &CSVWriter{Writer: csv.NewWriter(w)} }

// Write adds a row, each cell as CSV has it.
func (w *CSVWriter) Write(cells []string) error {
	w.row = w.row[:0]
	for _, c := range cells {
		w.row = append(w.row, CSV(c))
	}
	return w.Writer.Write(w.row)
}

// formulas are the characters with which a cell begins that a spreadsheet computes; East Asian versions take the wide
// forms, too.
const formulas = "=+-@＝＋－＠"

// CSV returns a cell of comma-separated values: as Text has it, so a line is a row, and with a ' where it would be
// taken for a formula. That is at its beginning, and behind a semicolon, which separates cells where the comma is
// the decimal sign. A ' that stands there is doubled, so that two texts never look the same. A negative number is no
// formula.
func CSV(text string) string {
	text = Text(text)
	if !computed(text) && !strings.Contains(text, ";") {
		return text
	}
	cells := strings.Split(text, ";")
	for i, cell := range cells {
		if computed(cell) {
			cells[i] = "'" + cell
		}
	}
	return strings.Join(cells, ";")
}

// computed says that a cell gets a ' in front.
func computed(cell string) bool {
	if strings.HasPrefix(cell, "'") {
		return true
	}
	for _, r := range strings.TrimLeft(cell, " \"") {
		return strings.ContainsRune(formulas, r) && !negative(cell)
	}
	return false
}

// negative says that a cell is a minus sign and digits, which may have a point and an exponent.
func negative(cell string) bool {
	digits, ok := strings.CutPrefix(cell, "-")
	if !ok {
		return false
	}
	number, exponent, _ := strings.Cut(digits, "e")
	whole, fraction, _ := strings.Cut(number, ".")
	power := strings.TrimLeft(exponent, "+-")
	return whole != "" && strings.Trim(whole+fraction+power, "0123456789") == "" && len(exponent)-len(power) <= 1
}

// marks are the characters that mean something within a line of Markdown, or of HTML in it.
var marks = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "$", `\$`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "://", `:\/\/`,
)

// Markdown returns text for a cell of a table, or a line, of Markdown: as Text has it, with nothing that is markup.
func Markdown(text string) string { return marks.Replace(Text(text)) }
