package conversion

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/strace"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

const log = `100 1700000000.000100 openat(AT_FDCWD, "/d/f", O_RDONLY) = 3</d/f> <0.000010>
100 1700000000.000200 read(3</d/f>, "x"..., 4096) = 4096 <0.000050>
`

// text is an input with some content.
func text(content string) *Inputs {
	return &Inputs{List: []convert.Input{{Reader: strings.NewReader(content), Name: "log.txt"}}}
}

// The trace covers the time until the end of its last event, and says what could not be read, as the summary does.
func TestImport(t *testing.T) {
	var out bytes.Buffer
	r, err := Import(&out, &strace.Importer, text(log+"no line of strace\n"), "iotrace test")
	if err != nil {
		t.Fatal(err)
	}
	if r.Calls != 2 || r.Requests != 0 || r.Counts.Lines != 3 || r.Counts.Damaged != 1 {
		t.Errorf("%+v", r)
	}
	if want := "1 of 3 lines could not be read and are missing; the first is line 3"; !strings.Contains(r.Summary(),
		want) ||
		!strings.HasSuffix(r.Summary(), "3 lines: 2 calls, 0 requests\n") {
		t.Error(r.Summary())
	}
	in, err := tracefile.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		err = in.Next(&trace.Batch{})
	}
	end, complete := in.End()
	if !complete || end.Reason != "import" || end.Duration != 150_000 || len(end.Warnings) == 0 {
		t.Errorf("complete %v, %+v", complete, end)
	}
	if h := in.Header(); h.Tool != "iotrace test" {
		t.Errorf("made by %q", h.Tool)
	}
}

func TestNothingToImport(t *testing.T) {
	for _, content := range []string{"", "nothing of strace\n"} {
		_, err := Import(&bytes.Buffer{}, &strace.Importer, text(content), "iotrace test")
		if err == nil || !strings.HasPrefix(err.Error(), "reading log.txt: ") {
			t.Errorf("%q: %v", content, err)
		}
	}
}
