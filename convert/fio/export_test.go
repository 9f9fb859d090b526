package fio

import (
	"fmt"
	"testing"
)

// Recorded are the operations of a trace, by way, in lines.
func Recorded(t *testing.T, trace string) (lines [2][]string) {
	t.Helper()
	r, err := survey(trace)
	if err != nil {
		t.Fatal(err)
	}
	names := map[*file]string{}
	first := int64(-1)
	_, err = r.operations(func(o *operation) {
		if first < 0 {
			first = o.start
		}
		if names[o.file] == "" {
			names[o.file] = fmt.Sprintf("%04d-%s", len(names), plain(o.file.Path))
		}
		lines[o.way()] = append(lines[o.way()], fmt.Sprintf("%d µs: %s %s %d+%d", max(o.start-first, 0)/1000+1, o.action,
			names[o.file], o.offset, o.length))
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
