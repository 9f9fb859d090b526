package metrics

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strings"
	"time"
)

// One page is all that is served, so HTTP/1.1 is read and written here, and each connection ends with its answer.
// net/http would bring TLS and HTTP/2.

const (
	longestHeader = 16 << 10
	lingering     = 500 * time.Millisecond // for what is still sent when the answer has been
	mostIgnored   = 256 << 10
)

// status is what an answer says of a request.
type status string

const (
	ok         status = "200 OK"
	bad        status = "400 Bad Request"
	notFound   status = "404 Not Found"
	notAllowed status = "405 Method Not Allowed"
	tooLong    status = "431 Request Header Fields Too Large"
)

// answer reads a request and answers it. Who is too slow, or goes, gets none.
func answer(c net.Conn, page func() []byte) {
	_ = c.SetDeadline(time.Now().Add(patience))
	method, result, err := request(c)
	if err != nil {
		return
	}
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := c.Write(response(method, result, page)); err != nil {
		return
	}
	// To close while something has not been read would reset the connection, and could take the answer with it.
	if half, can := c.(interface{ CloseWrite() error }); can && half.CloseWrite() == nil {
		_ = c.SetDeadline(time.Now().Add(lingering))
		_, _ = io.CopyN(io.Discard, c, mostIgnored)
	}
}

// request reads what is asked, and judges it. A body is left alone. An error is one of the connection.
func request(r io.Reader) (method string, result status, err error) {
	limited := &io.LimitedReader{R: r, N: longestHeader}
	text := textproto.NewReader(bufio.NewReader(limited))
	line, err := text.ReadLine()
	header := textproto.MIMEHeader(nil)
	if err == nil {
		header, err = text.ReadMIMEHeader()
	}
	wrong := textproto.ProtocolError("")
	switch {
	case err != nil && limited.N == 0:
		return "", tooLong, nil
	case errors.As(err, &wrong):
		return "", bad, nil
	case err != nil:
		return "", "", err
	}
	method, result = judge(line, header)
	return method, result, nil
}

// judge tells what a request gets.
func judge(line string, header textproto.MIMEHeader) (method string, result status) {
	method, rest, _ := strings.Cut(line, " ")
	target, version, _ := strings.Cut(rest, " ")
	switch {
	case method == "" || !isPath(&target), version != "HTTP/1.1" && version != "HTTP/1.0",
		version == "HTTP/1.1" && len(header["Host"]) != 1:
		return method, bad
	case target != "/metrics":
		return method, notFound
	case method != "GET" && method != "HEAD":
		return method, notAllowed
	}
	return method, ok
}

// isPath leaves the path of what a request asks for, which may be a whole URL, as proxies ask.
func isPath(target *string) bool {
	path, _, _ := strings.Cut(*target, "?")
	if of, whole := strings.CutPrefix(path, "http://"); whole {
		_, path, _ = strings.Cut(of, "/")
		path = "/" + path
	}
	*target = path
	return strings.HasPrefix(path, "/")
}

// response is all of an answer.
func response(method string, result status, page func() []byte) []byte {
	kind, body, more := "text/plain; charset=utf-8", []byte(result+"\n"), ""
	switch result {
	case ok:
		kind, body = "text/plain; version=0.0.4; charset=utf-8", page()
	case notAllowed:
		more = "Allow: GET, HEAD\r\n"
	}
	b := fmt.Appendf(nil, "HTTP/1.1 %s\r\nDate: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s"+
		"Connection: close\r\n\r\n", result, time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"), kind, len(body), more)
	if method == "HEAD" {
		return b
	}
	return append(b, body...)
}
