package bounded_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/bounded"
)

// A line that is too long is one error, whatever the buffer, and the lines around it are read.
func TestLines(t *testing.T) {
	for _, test := range []struct{ buffer, max int }{{16, 100}, {64, 64}, {4096, 4096}, {16, 16}} {
		long := strings.Repeat("x", 3*max(test.max, test.buffer))
		in := bounded.NewLines(strings.NewReader("one\r\n\n"+long+"\ntwo\n"+long+long), test.buffer, test.max)
		var got []string
		for {
			line, err := in.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if errors.Is(err, bounded.ErrTooLong) {
				line = []byte("(long)")
			} else if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line))
		}
		if s := strings.Join(got, ","); s != "one,,(long),two,(long)" {
			t.Errorf("%+v: %s", test, s)
		}
	}
}

// A row or a token that is too long ends what can be read, and SkipTo goes on behind it, at the place that it says.
func TestXML(t *testing.T) {
	long := strings.Repeat("y", bounded.MaxLine)
	for _, hostile := range []string{`<row a="` + long + `"/>`, "<row>" + long + "</row>", "<!--" + long + "<row>-->",
		"<row>" + strings.Repeat("<a/>", bounded.MaxLine/4) + "</row>"} {
		text := "<all>\n<row/>\n" + hostile + "\n"
		x := bounded.NewXML(strings.NewReader(text + "<rows/><row b='1'/></all>"))
		rows, long := 0, 0
		for {
			token, err := x.Token()
			if errors.Is(err, bounded.ErrTooLong) {
				if line, at := x.Place(); line != 3 || at < 14 || at > int64(len(text)) {
					t.Errorf("%.20s: at line %d, byte %d", hostile, line, at)
				}
				long++
				err = x.SkipTo("row")
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if start, ok := token.(xml.StartElement); ok && start.Name.Local == "row" {
				rows++
				x.Row(true)
			}
			if end, ok := token.(xml.EndElement); ok && end.Name.Local == "row" {
				x.Row(false)
			}
		}
		if long != 1 || rows < 2 || rows > 3 {
			t.Errorf("%.20s: %d rows, %d too long", hostile, rows, long)
		}
	}
}

// What stands in a text is neither depth nor a value.
func TestJSON(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":[1,2,3]}`: true, `"` + strings.Repeat(`[,\"`, 5000) + `"`: true,
		strings.Repeat("[", bounded.MaxDepth): true, strings.Repeat("[", bounded.MaxDepth+1): false,
		strings.Repeat("[],", 40): true, strings.Repeat("[],", 60): false, strings.Repeat("{}", 101): false,
	} {
		if err := bounded.JSON([]byte(text), 100); (err == nil) != want {
			t.Errorf("%.30s: %v", text, err)
		}
	}
}

// A file of any size is refused without being read whole.
func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := bounded.File(name); err != nil || len(text) > 0 {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.Truncate(name, 1<<40); err != nil {
		t.Skip(err) // of this file system
	}
	if _, err := bounded.File(name); !errors.Is(err, bounded.ErrTooLong) || !strings.Contains(err.Error(), "64 MiB") {
		t.Error(err)
	}
}
