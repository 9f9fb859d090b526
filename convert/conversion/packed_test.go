package conversion

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

// archive is a zip archive, whose files have their sums behind them if it is written as a stream.
func archive(t *testing.T, stream bool, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: "log", Method: zip.Deflate}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(w, f)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if stream {
		return b.String()
	}
	// The first header as programs write it that know the sum beforehand.
	whole := b.Bytes()
	r, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z = zip.NewWriter(&out)
	for _, f := range r.File {
		f.Flags &^= zipDescribed
		w, err := z.CreateRaw(&f.FileHeader)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := f.OpenRaw()
		if err == nil {
			_, err = io.Copy(w, raw)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPacked: bzip2 and a zip archive of one file are unpacked; what cannot be is refused with what to do.
func TestPacked(t *testing.T) {
	bz, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWcBv4GUAAAHBgAAQAgAEQCAAIYyDNNCI8XckU4UJDAb+BlA=")
	if err != nil {
		t.Fatal(err)
	}
	read := func(content string) (string, error) {
		in, err := Open([]string{"-"}, strings.NewReader(content))
		if err != nil {
			return "", err
		}
		defer in.Close()
		got, err := io.ReadAll(in.List[0])
		return string(got), err
	}
	streamed, known := archive(t, true, "text\n"), archive(t, false, "text\n")
	for name, content := range map[string]string{"bzip2": string(bz), "zip": streamed, "zip with its sum first": known} {
		if got, err := read(content); err != nil || got != "text\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err = w.WriteHeader(&tar.Header{Name: "log", Mode: 0o600, Size: 5})
	if _, wrote := io.WriteString(w, "text\n"); errors.Join(err, wrote, w.Close()) != nil {
		t.Fatal(err, wrote)
	}
	tarred := b.String()
	broken := []byte(known)
	broken[14]++
	for content, want := range map[string]string{
		string(bz[:len(bz)-4]):                  "decompressing it with bzip2",
		"\xfd7zXZ\x00":                          "compressed with xz: decompress it first (xz -dc",
		archive(t, true, "text\n", "another\n"): "several files",
		string(broken):                          "its sum is wrong",
		streamed[:40]:                           "unexpected EOF",
		"PK\x03\x04\x14\x00\x01\x00" + strings.Repeat("\x00", 40):     "encrypted",
		"PK\x03\x04\x14\x00\x00\x00\x0c" + strings.Repeat("\x00", 40): "not known (12)",
		"PK\x03\x04": "EOF",
		"\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x19\x8e": "compressed with LZMA: decompress it first (xz -dc",
		"\x12\x00\x00\x30\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00\x3a":     "LZMA",
		"\x04\x22\x4d\x18\x64\x40\xa7":                                     "lz4 -dc",
		"\x1f\x9d\x90":                                                     "gzip -dc",
		tarred:                                                             "tar -xOf",
		zipped(tarred):                                                     "tar -xOf",
	} {
		if got, err := read(content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %q, %v, want %s", content, got, err, want)
		}
	}
}

// LZMA is told by its header, whatever its options; nothing else has one, text in UTF-16 and binary traces included.
func TestLZMA(t *testing.T) {
	header := func(properties byte, dictionary uint32, size uint64, first byte) []byte {
		b := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32([]byte{properties}, dictionary), size)
		return append(b, first)
	}
	const unknown = 1<<64 - 1
	for _, h := range [][]byte{
		header(93, 1<<23, unknown, 0), header(93, 1<<16, 0, 0), header(18, 3<<20, 5, 0), header(224, 1<<31, unknown, 0),
	} {
		if !isLZMA(h) {
			t.Errorf("%x is not taken for LZMA", h)
		}
	}
	others := [][]byte{
		header(93, 1<<23, unknown, 1), header(225, 1<<23, unknown, 0), header(93, 1<<23+1, unknown, 0),
		header(93, 1<<23, 1<<40, 0), header(93, 0, 5, 0), header(93, 1<<23, unknown, 0)[:13], nil,
		{0x07, 0x74, 0x61, 0x65, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []byte(log), bytes.Repeat([]byte{' ', 0, 'a', 0}, 8),
	}
	for a := byte('\t'); a < 0x7f; a++ {
		for b := byte('\t'); b < 0x7f; b++ { // UTF-16, in either order of bytes
			others = append(others, bytes.Repeat([]byte{a, 0, b, 0}, 4), bytes.Repeat([]byte{0, a, 0, b}, 4))
		}
	}
	for _, h := range others {
		if isLZMA(h) {
			t.Errorf("%x is taken for LZMA", h)
		}
	}
}
