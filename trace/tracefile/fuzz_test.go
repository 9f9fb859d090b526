package tracefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// repaired is file with right checksums, so that the frames' contents get read.
func repaired(file []byte) []byte {
	file = bytes.Clone(file)
	if len(file) >= prefixSize {
		copy(file[12:], binaryChecksum(file[:12]))
	}
	for i := 0; ; i += frameHeaderSize {
		next := bytes.Index(file[i:], []byte(frameMagic))
		if i += next; next < 0 || len(file)-i < frameHeaderSize {
			return file
		}
		stored := uint64(binary.LittleEndian.Uint32(file[i+16:]))
		payload := file[i+frameHeaderSize:]
		payload = payload[:min(stored, uint64(len(payload)))]
		copy(file[i+24:], binaryChecksum(payload))
		copy(file[i+28:], binaryChecksum(file[i:i+28]))
	}
}

// FuzzReader: whatever the input, reading ends without a panic and within its
// memory, and what was read can be written and read again.
func FuzzReader(f *testing.F) {
	s := newSample(f)
	f.Add(s.file, true)
	for _, n := range append([]int{0, 1, prefixSize, prefixSize + frameHeaderSize, s.end}, s.ends...) {
		f.Add(s.file[:n], false)
		f.Add(s.file[:n-n/10], true)
	}
	for name, file := range hostileTraces(f) {
		if name != "endless JSON" && name != "endless text" { // too large to be mutated well
			f.Add(file[:min(len(file), 1500)], true)
		}
	}
	golden, err := filepath.Glob("testdata/*.iotrace")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range golden {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, file []byte, repair bool) {
		if repair {
			file = repaired(file)
		}
		if r, err := NewReader(bytes.NewReader(file)); err == nil {
			copiesWhatItReads(t, r)
		}
	})
}

// copiesWhatItReads reads a trace within bounded memory, each event once, and finds the same events in a copy of it.
func copiesWhatItReads(t *testing.T, r *Reader) {
	var err error
	var copied bytes.Buffer
	w := create(t, &copied, trace.Header{})
	var b trace.Batch
	read := new(trace.Batch)
	for {
		if err = r.Next(&b); err != nil {
			break
		}
		if got := footprint(r, &b); got > maxMemory {
			t.Fatalf("buffers of %d MiB", got>>20)
		}
		visited := 0
		for range b.InOrder() {
			visited++
		}
		if visited != b.Len() || visited == 0 {
			t.Fatalf("%d of %d events visited", visited, b.Len())
		}
		if read.Len()+b.Len() > 1000 || len(b.Extents)+len(b.Parents) > 1000 {
			break // comparing them would take too long
		}
		add(read, &b)
		writeBatch(t, w, &b)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	if d := diff(read, join(readAll(t, open(t, copied.Bytes())))); d != "" {
		t.Fatal(d)
	}
}

// FuzzColumns: the same for the tables in a frame, which compression hides from
// the fuzzer.
func FuzzColumns(f *testing.F) {
	b := newSample(f).events
	for _, k := range trace.KindOrder {
		e := newColumnEncoder()
		layouts[k].append(&e, b)
		f.Add(byte(k), uint16(layouts[k].count(b)), e.Raw)
	}
	f.Fuzz(func(t *testing.T, kind byte, rows uint16, payload []byte) {
		k := trace.Kind(1 + kind%byte(len(layouts)-1))
		b := new(trace.Batch)
		d := columnDecoder{Batch: b}
		if err := layouts[k].read(&d, new(rejects), payload, min(int(rows), 200)); err != nil {
			if b.Len() > 0 || len(b.Extents) > 0 || len(b.Parents) > 0 {
				t.Fatal("part of a malformed frame was returned")
			}
			return
		}
		if len(b.Extents)+len(b.Parents) > 1000 {
			return // comparing them would take too long
		}
		e := newColumnEncoder()
		layouts[k].append(&e, b)
		again := new(trace.Batch)
		d = columnDecoder{Batch: again}
		if err := layouts[k].read(&d, new(rejects), e.Raw, layouts[k].count(b)); err != nil {
			t.Fatal(err)
		}
		if d := diff(b, again); d != "" {
			t.Fatal(d)
		}
	})
}
