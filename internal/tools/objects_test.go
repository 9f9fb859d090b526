package main

import (
	"strings"
	"testing"
)

// What bpf2go writes is changed in two places; what it does not write as expected is an error, not left as it is.
func TestEmbedPacked(t *testing.T) {
	const source = "\treader := bytes.NewReader(_XBytes)\n\tspec\n//go:embed x_bpfel.o\nvar _XBytes []byte\n"
	const want = "\tobject, err := unpacked(_XBytes)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n" +
		"\treader := bytes.NewReader(object)\n\tspec\n//go:embed x_bpfel.o.zst\nvar _XBytes []byte\n"
	if got, err := embedPacked([]byte(source), "x_bpfel.o"); err != nil || string(got) != want {
		t.Errorf("%v:\n%s", err, got)
	}
	for _, other := range []string{"", want, source + source, strings.Replace(source, "x_bpfel", "y_bpfel", 1),
		strings.Replace(source, "bytes.NewReader", "strings.NewReader", 1)} {
		if got, err := embedPacked([]byte(other), "x_bpfel.o"); err == nil {
			t.Errorf("no error for\n%s\nbut\n%s", other, got)
		}
	}
}
