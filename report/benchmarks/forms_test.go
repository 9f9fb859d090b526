package benchmarks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// saved reads results that a run printed as JSON.
func saved(t *testing.T, name string, r any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The same results make the same text and the same table, byte for byte.
func TestForms(t *testing.T) {
	for _, name := range []string{"single", "places"} {
		var r baseline.Report
		saved(t, name, &r)
		var text, table strings.Builder
		if err := WriteText(&text, &r); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", text.String())
		if err := WriteCSV(&table, &r); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".csv", table.String())
	}
}

// So does a sustained run.
func TestSustainedForm(t *testing.T) {
	var r baseline.SustainedReport
	saved(t, "sustained", &r)
	var text strings.Builder
	if err := WriteSustained(&text, &r); err != nil {
		t.Fatal(err)
	}
	golden(t, "sustained.txt", text.String())
}
