package jsonl

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace/tracefile"
)

// A trace is read as the version that wrote it read it, whatever the format has gained since.
func TestVersions(t *testing.T) {
	traces, err := filepath.Glob("../../testdata/versions/*/*.iotrace")
	if err != nil || len(traces) == 0 {
		t.Fatalf("%d traces of earlier versions: %v", len(traces), err)
	}
	for _, path := range traces {
		t.Run(filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)), func(t *testing.T) {
			want := unzip(t, strings.TrimSuffix(path, ".iotrace")+".jsonl.gz")
			if got := exported(t, path); !bytes.Equal(got, want) {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

func exported(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := tracefile.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	w := bufio.NewWriter(&lines)
	if err := Export(r, w); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if damage := r.Damage(); len(damage) > 0 {
		t.Errorf("damaged: %v", damage)
	}
	return lines.Bytes()
}

func unzip(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func firstDifference(got, want []byte) string {
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one has more lines than the other"
}
