//go:build linux

package main

import (
	"strings"
	"testing"
)

// TestJudge takes what is right, and refuses what only one thing is wrong with.
func TestJudge(t *testing.T) {
	right := func() work {
		return work{writes: 1, syncs: 1, written: 9, from: 10, to: 90, server: moved{1, 9}, first: 20, last: 80, uncertain: 1,
			asked: moved{1, 9}, sent: 15, kept: 85, durable: 90, byServer: .3, byOthers: .1, both: 20, outside: 1, beyond: 1,
			there: 5}
	}
	w := right()
	if err := w.judge(9); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(w *work){
		"wrote 9 bytes":        func(w *work) { w.written, w.server.bytes, w.asked.bytes = 8, 8, 8 },
		"the bytes differ":     func(w *work) { w.server.bytes = 8 },
		"said to be of others": func(w *work) { w.foreign = 1 },
		"how well the clocks":  func(w *work) { w.uncertain, w.beyond = 0, 0 },
		"asked the server":     func(w *work) { w.asked.bytes = 8 },
		"before the first wri": func(w *work) { w.first, w.sent = 8, 5 },
		"first WRITE was sent": func(w *work) { w.first = 13 },
		"after the return":     func(w *work) { w.last, w.kept = 92, 95 },
		"reply to COMMIT":      func(w *work) { w.last = 87 },
		"outside of when it":   func(w *work) { w.beyond = 2 },
		"on both sides":        func(w *work) { w.both = 0 },
		"the server's threads": func(w *work) { w.there = 0 },
		"is called durable":    func(w *work) { w.durable = 91 },
		"the verdict gives 5":  func(w *work) { w.byServer = .05 },
		"the verdict gives 0":  func(w *work) { w.byServer, w.byOthers = 0, 0 },
	} {
		w := right()
		spoil(&w)
		if err := w.judge(9); err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
