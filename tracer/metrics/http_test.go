package metrics

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// questions are what may come through a connection, and what is said to it.
var questions = map[string]status{
	"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n":                                          ok,
	"GET /metrics HTTP/1.0\r\n\r\n":                                                     ok,
	"GET /metrics HTTP/1.0\nConnection: keep-alive\n\n":                                 ok,
	"HEAD /metrics?x HTTP/1.1\r\nHOST: x\r\nAccept: a, b;q=0.5\r\n\r\n":                 ok,
	"GET http://x:1/metrics HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n":      ok,
	"GET /metrics HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 15000) + "\r\n\r\n": ok,
	"GET / HTTP/1.1\r\nHost: x\r\n\r\n":                                                 notFound,
	"GET http://x HTTP/1.1\r\nHost: x\r\n\r\n":                                          notFound,
	"GET /../metrics HTTP/1.1\r\nHost: x\r\n\r\n":                                       notFound,
	"PUT /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc":                  notAllowed,
	"get /metrics HTTP/1.1\r\nHost: x\r\n\r\n":                                          notAllowed,
	"GET /metrics HTTP/1.1\r\n\r\n":                                                     bad,
	"GET /metrics HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n":                               bad,
	"GET /metrics HTTP/1.1\r\nHost x\r\n\r\n":                                           bad,
	"GET /metrics HTTP/2.0\r\nHost: x\r\n\r\n":                                          bad,
	"GET /metrics\r\n\r\n":                                                              bad,
	"GET metrics HTTP/1.1\r\nHost: x\r\n\r\n":                                           bad,
	"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n":                                           bad,
	"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n":                                             bad,
	"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 of TLS\n\n":                           bad,
	"\n\n": bad,
	"GET /metrics HTTP/1.1\r\nA: " + strings.Repeat("a", 100_000):    tooLong,
	"GET /" + strings.Repeat("a", 100_000):                           tooLong,
	"GET /metrics HTTP/1.1\r\n" + strings.Repeat("A: b\r\n", 20_000): tooLong,
	"":                                     "",
	"GET /metrics HTTP/1.1":                "",
	"GET /metrics HTTP/1.1\r\nHost: x\r\n": "",
}

// Each gets its answer and the end of the connection, or the end alone.
func TestQuestions(t *testing.T) {
	s := served(t)
	for question, want := range questions {
		name := question[:min(len(question), 60)]
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte(question)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if want == "" {
			err = c.(*net.TCPConn).CloseWrite()
		}
		all, readErr := io.ReadAll(c)
		if err != nil || readErr != nil || c.Close() != nil {
			t.Errorf("%q: %v, %v", name, err, readErr)
		}
		first, _, _ := strings.Cut(string(all), "\r\n")
		if want == "" && len(all) > 0 || want != "" && first != "HTTP/1.1 "+string(want) {
			t.Errorf("%q: %q; want %q", name, all, want)
		}
	}
}

// Who sends byte by byte is waited for.
func TestSlowly(t *testing.T) {
	s := served(t)
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, b := range []byte("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") {
		if _, err := c.Write([]byte{b}); err != nil {
			t.Fatal(err)
		}
	}
	if a, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || a.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", a, err)
	}
}

// Whatever comes, no more is read than a header may have, and who asks for the page as net/http understands it gets it.
func FuzzRequest(f *testing.F) {
	for question := range questions {
		f.Add([]byte(question[:min(len(question), 200)]))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		r := bytes.NewReader(input)
		method, result, err := request(r)
		if len(input)-r.Len() > longestHeader {
			t.Fatalf("%d bytes are read", len(input)-r.Len())
		}
		if answer := response(method, result, func() []byte { return nil }); err == nil {
			if _, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answer)), nil); err != nil {
				t.Errorf("%v:\n%s", err, answer)
			}
		}
		asked, wrong := http.ReadRequest(bufio.NewReader(io.LimitReader(bytes.NewReader(input), longestHeader)))
		switch {
		case err == nil && result == ok && wrong == nil:
			if asked.Method != method || asked.URL.Path != "/metrics" {
				t.Errorf("%s %s got the page", asked.Method, asked.URL)
			}
		case wrong == nil && asked.Method == "GET" && asked.URL.Scheme == "" && asked.URL.EscapedPath() == "/metrics" &&
			asked.ProtoAtLeast(1, 0) && asked.ProtoMajor == 1 && asked.ProtoMinor <= 1 &&
			bytes.Count(bytes.ToLower(input), []byte("host")) == 1 && asked.Host != "":
			t.Errorf("%q got %q, %v", input, result, err)
		}
	})
}
