package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/internal/samples"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// mutations is how many changed files each test below reads: IOTRACE_MUTATIONS,
// or few enough for every day.
func mutations(few int) int {
	if n, err := strconv.Atoi(os.Getenv("IOTRACE_MUTATIONS")); err == nil {
		return n
	}
	return few
}

// decoded is what a file says, and whether the reader finds fault with it.
func decoded(t *testing.T, file []byte) (text string, faults bool) {
	t.Helper()
	r, err := tracefile.NewReader(bytes.NewReader(file))
	if err != nil {
		return "", true
	}
	var out bytes.Buffer
	var b trace.Batch
	for err = r.Next(&b); err == nil; err = r.Next(&b) {
		fmt.Fprintf(&out, "%v %v %v %v %v %v %v %v %v\n", b.Devices, b.Files, b.Processes, b.Lost, b.Requests, b.Faults,
			b.Waits, b.AsyncOps, b.Syscalls)
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	end, whole := r.End()
	fmt.Fprintf(&out, "%v %v\n", r.Header(), end)
	return out.String(), !whole || len(r.Damage()) > 0
}

// Every accident is noticed: what is read without complaint is what was written.
func TestAccidentsAreNoticed(t *testing.T) {
	files := originals(t)
	rng := rand.New(rand.NewPCG(1, 2))
	same := 0
	n := mutations(200)
	for i := range n {
		file := files[i%len(files)]
		want, _ := decoded(t, file)
		changed, what := samples.Damage(file, rng)
		got, faults := decoded(t, changed)
		switch {
		case bytes.Equal(changed, file):
			same++
		case !faults && got != want:
			t.Errorf("%d: %s: events differ in silence", i, what)
		case !faults && !bytes.HasPrefix(file, changed): // which lacks a part of the trailer, and nothing else
			t.Errorf("%d: %s: not noticed", i, what)
		}
	}
	t.Logf("%d mutations, %d of them changed nothing", n, same)
}

// A frame that comes again is noticed by every reader and counts once.
func TestRepeatedFramesAreNoticed(t *testing.T) {
	files := originals(t)
	rng := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "again.iotrace")
	n := mutations(25)
	for i := range n {
		changed, what, err := samples.Again(files[i%len(files)], rng)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, out, _ := command("show", "--json", path); damaged(t, out) == 0 {
			t.Errorf("%s: show is silent", what)
		}
		for _, args := range append(exports(path), []string{"events", path}) {
			if _, _, warnings := command(args...); warnings == "" {
				t.Errorf("%s: %s is silent", what, args[:len(args)-1])
			}
		}
	}
}

// damaged is how many faults show --json counts.
func damaged(t *testing.T, shown string) int {
	t.Helper()
	var p struct {
		Trace struct {
			Damaged int `json:"damaged"`
		} `json:"trace"`
	}
	if err := json.Unmarshal([]byte(shown), &p); err != nil {
		t.Fatal(err)
	}
	return p.Trace.Damaged
}

// Forged files are bounded for every command. Of frames that were changed one
// by one, with right checksums, the trace's own sums notice each.
func TestForgeriesAreBounded(t *testing.T) {
	files := originals(t)
	rng := rand.New(rand.NewPCG(5, 6))
	dir := t.TempDir()
	n, silent, same := mutations(30), 0, 0
	for i := range n {
		file := files[i%len(files)]
		change := samples.Payloads
		if i%2 == 1 {
			change = samples.Events
		}
		changes := samples.Program(rng)
		changed, err := change(file, changes)
		if err != nil {
			continue
		}
		readAll(t, dir, changed)
		if i%2 == 1 {
			continue // a lie that is all of a piece
		}
		want, _ := decoded(t, file)
		switch got, faults := decoded(t, changed); {
		case faults:
		case got == want:
			same++
		default:
			silent++
			t.Logf("%v: not noticed: %s", changes, cmp.Diff(want, got))
		}
	}
	t.Logf("%d forgeries; of those of frames %d say the same, %d something else in silence", n, same, silent)
}
