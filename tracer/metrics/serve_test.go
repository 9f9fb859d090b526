package metrics

import (
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// served is a server of a page with little in it.
func served(t *testing.T) *Server {
	t.Helper()
	s, err := Serve("127.0.0.1:0", New(), func() Own { return Own{Version: "v1"} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Only the page of metrics is served, to those who read it.
func TestServe(t *testing.T) {
	s := served(t)
	page := string(New().Text(Own{Version: "v1"}))
	for _, of := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/metrics", 200}, {"GET", "/metrics?name[]=a&x", 200}, {"HEAD", "/metrics", 200},
		{"GET", "/metrics/x", 404}, {"GET", "/", 404}, {"HEAD", "/x", 404}, {"POST", "/", 404},
		{"POST", "/metrics", 405}, {"DELETE", "/metrics", 405},
	} {
		r, err := http.NewRequestWithContext(t.Context(), of.method, strings.TrimSuffix(s.URL(), "/metrics")+of.path,
			strings.NewReader(strings.Repeat("a body ", 1000)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "gzip") // as Prometheus does
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("%s %s: %v", of.method, of.path, err)
			continue
		}
		body, err := io.ReadAll(a.Body)
		if err := a.Body.Close(); err != nil {
			t.Error(err)
		}
		if err != nil || a.StatusCode != of.status || !a.Close || a.ProtoMinor != 1 || a.Header.Get("Date") == "" {
			t.Errorf("%s %s: %v, %v", of.method, of.path, a, err)
		}
		if allow := a.Header.Get("Allow"); (allow == "GET, HEAD") != (of.status == 405) {
			t.Errorf("%s %s: allowed is %q", of.method, of.path, allow)
		}
		if of.status != 200 {
			continue
		}
		if kind := a.Header.Get("Content-Type"); kind != "text/plain; version=0.0.4; charset=utf-8" ||
			a.ContentLength != int64(len(page)) || string(body) != page && of.method != "HEAD" {
			t.Errorf("%s %s: %q, %d bytes, %q", of.method, of.path, kind, a.ContentLength, body)
		}
	}
}

// What others ask with is answered too, in both versions of the protocol.
func TestCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	s := served(t)
	for _, options := range []string{"--http1.1", "--http1.0", "--http1.1 --compressed",
		"--noproxy none -x " + s.URL()} {
		args := append(strings.Fields(options), "-sSf", s.URL())
		out, err := exec.CommandContext(t.Context(), "curl", args...).CombinedOutput()
		if err != nil || string(out) != string(New().Text(Own{Version: "v1"})) {
			t.Errorf("%s: %v: %s", options, err, out)
		}
	}
}

// Many who say nothing hold up others, but not the end of the recording.
func TestClose(t *testing.T) {
	s := served(t)
	var silent []net.Conn
	for range places + 8 {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		silent = append(silent, c)
	}
	for _, c := range silent[:places] {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	r, err := http.Get(s.URL())
	if err != nil {
		t.Fatal("those who have gone still hold a place: ", err)
	}
	if err := r.Body.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, c := range silent[places:] {
		if n, err := c.Read(make([]byte, 1)); err == nil {
			t.Errorf("%d bytes for who asked nothing", n)
		}
	}
	if r, err := http.Get(s.URL()); err == nil {
		t.Errorf("it still listens: %v", r.Body.Close())
	}
}
