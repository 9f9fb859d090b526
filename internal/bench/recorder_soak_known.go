//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// known is what a flight recorder says of its own tables, as metrics.
type known struct{ bytes, files, processes int64 }

// freeAddress is one of this machine where nobody listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// knownAt asks a recorder.
func knownAt(ctx context.Context, address string) (k known, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", nil)
	if err != nil {
		return k, err
	}
	q.Close = true
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return k, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return k, err
	}
	return readKnown(string(text))
}

// readKnown finds it among the metrics.
func readKnown(text string) (k known, err error) {
	found := 0
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		of := map[string]*int64{"iotrace_kept_bytes": &k.bytes, `iotrace_known{of="files"}`: &k.files,
			`iotrace_known{of="processes"}`: &k.processes}[name]
		if of == nil {
			continue
		}
		var x float64
		if _, err := fmt.Sscan(value, &x); err != nil {
			return k, fmt.Errorf("reading the metric %q: %w", line, err)
		}
		*of = int64(x)
		found++
	}
	if found < 3 {
		return k, fmt.Errorf("the recorder tells %d of 3 metrics of its tables", found)
	}
	return k, nil
}
