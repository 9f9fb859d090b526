package conversion

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/convert/formats"
	"github.com/iotrace/iotrace/convert/strace"
)

func (in *Inputs) all(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, i := range in.List {
		if _, err := io.Copy(&b, i); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// If any input cannot be opened there is none.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "a")
	if err := os.WriteFile(first, []byte("one "), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := Open([]string{first, "-", first}, strings.NewReader("two "))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got := in.all(t); got != "one two one " {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{dir, filepath.Join(dir, "b")} {
		if _, err := Open([]string{first, bad}, nil); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

func zstandard(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// What is compressed is decompressed, and a mark in front of the text is none of it.
func TestPlain(t *testing.T) {
	for name, content := range map[string]string{
		"plain": "text\n", "mark": "\xef\xbb\xbftext\n", "gzip": zipped("text\n"), "zstd": zstandard(t, "text\n"),
		"two members": zipped("te") + zipped("xt\n"), "a mark in gzip": zipped("\xef\xbb\xbftext\n"),
	} {
		in, err := Open([]string{"-"}, strings.NewReader(content))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := in.all(t); got != "text\n" {
			t.Errorf("%s: %q", name, got)
		}
		in.Close()
	}
	for content, want := range map[string]string{
		"\x1f\x8bno":             "decompressing it with gzip",
		zipped("text")[:20]:      "decompressing it with gzip: unexpected EOF",
		zstandard(t, "text")[:9]: "decompressing it with zstd",
	} {
		in, err := Open([]string{"-"}, strings.NewReader(content))
		if err == nil {
			_, err = io.ReadAll(in.List[0])
			in.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

// A log that went through an editor of Windows is that log.
func TestWindows(t *testing.T) {
	in, err := Open([]string{"-"}, strings.NewReader("\xef\xbb\xbf"+strings.ReplaceAll(log, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	i, err := in.Recognize(formats.Importers)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Import(io.Discard, i, in, "iotrace test")
	if err != nil || r.Calls != 2 || r.Counts.Lines != 2 || r.Counts.Damaged != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A text in UTF-16, with or without its mark, is read as it is in UTF-8, and so is a log.
func TestUTF16(t *testing.T) {
	large := log + strings.Repeat("größer 𝄞 and many words of ASCII as logs have them, ", 8_000) + "\n"
	for _, order := range []interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}{binary.LittleEndian, binary.BigEndian} {
		wide := func(text string) (b []byte) {
			for _, u := range utf16.Encode([]rune(text)) {
				b = order.AppendUint16(b, u)
			}
			return b
		}
		for text, want := range map[string]string{
			"\ufeff" + log: log, log: log, "\ufeff": "", "\ufeffa": "a", "\ufeff" + large: large, large: large,
		} {
			in, err := Open([]string{"-"}, bytes.NewReader(wide(text)))
			if err != nil {
				t.Fatal(err)
			}
			if got := in.all(t); got != want {
				t.Errorf("%s: %.100q of %.100q", order, got, text)
			}
			in.Close()
		}
		half := append(wide("\ufeffab"), 0xd8)
		for _, broken := range [][]byte{half, append(wide("\ufeffab"), wide("\u0000")...)} {
			in, err := Open([]string{"-"}, bytes.NewReader(broken))
			if err != nil {
				t.Fatal(err)
			}
			if got := in.all(t); !strings.HasPrefix(got, "ab") {
				t.Errorf("%s: %q", order, got)
			}
			in.Close()
		}
	}
	in, err := Open([]string{"-"}, strings.NewReader(log[:20]+"\x00\x00"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if got := in.all(t); got != log[:20]+"\x00\x00" {
		t.Errorf("%q", got)
	}
}

// A frame of zstd that asks for more memory than is given is refused.
func TestLargeWindow(t *testing.T) {
	// A header of RFC 8878 with a window of 2^29 bytes, and a last block of one byte.
	const frame = "\x28\xb5\x2f\xfd" + "\x00\x98" + "\x09\x00\x00x"
	in, err := Open([]string{"-"}, strings.NewReader(frame))
	if err == nil {
		_, err = io.Copy(io.Discard, in.List[0])
		in.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "zstd") {
		t.Errorf("%v", err)
	}
}

// The format is found in the first input that is not empty, which is then read from its beginning.
func TestRecognize(t *testing.T) {
	in := &Inputs{List: []convert.Input{{Reader: strings.NewReader(""), Name: "0"}, {Reader: strings.NewReader(log), Name: "1"}}}
	i, err := in.Recognize(formats.Importers)
	if err != nil || i != &strace.Importer {
		t.Fatalf("%v, %v", i, err)
	}
	if got := in.all(t); got != log {
		t.Errorf("%q", got)
	}
	twice := []*convert.Importer{&strace.Importer, &strace.Importer}
	_, err = text(log).Recognize(twice)
	if err == nil || !strings.Contains(err.Error(), "log.txt: it could be of several tools") ||
		!strings.Contains(err.Error(), "(strace, strace)") {
		t.Errorf("%v", err)
	}
}

// Recordings of tools whose text is imported are told apart from what nobody knows, also if --from is said.
func TestRecordings(t *testing.T) {
	for begins, want := range map[string]string{"PERFILE2h\x00": "perf script", "\x17\x08Dtracing6": "trace-cmd report",
		"\x89iotrace\x01": "a trace already", "PML_\x09": "CSV"} {
		in := &Inputs{List: []convert.Input{{Name: "x", Reader: strings.NewReader(begins)}}}
		if _, err := in.Recognize(formats.Importers); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", begins, err)
		}
		var out bytes.Buffer
		if _, err := Import(&out, &calls.PerfScript, in, "test"); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%q, as of perf: %v, %d bytes", begins, err, out.Len())
		}
	}
}
