package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"
)

// Address is where to listen: a port alone means the loopback device, so that nobody else is told anything. Other
// machines can ask only if one of this machine's addresses is given.
func Address(text string) (string, error) {
	wrong := func() error {
		return fmt.Errorf("%q is no address: want a PORT of this machine alone, or ADDRESS:PORT, such as 192.0.2.7:9464",
			text)
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = "", text
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || port != strconv.FormatUint(n, 10) {
		return "", wrong()
	}
	switch host {
	case "", "localhost":
		host = "127.0.0.1"
	default:
		if net.ParseIP(host) == nil {
			return "", wrong()
		}
	}
	return net.JoinHostPort(host, port), nil
}

// Server answers those who ask for metrics.
type Server struct {
	listener net.Listener
	page     func() []byte
	places   chan struct{} // one for each connection at once; who finds none waits in the kernel's queue
	ended    sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
}

const (
	patience = 10 * time.Second // how long a question may take, and then the answer
	places   = 32
	respite  = 100 * time.Millisecond // before another connection is tried where one could not be accepted
)

// Serve listens at an address, and asks own with each answer.
func Serve(address string, c *Counters, own func() Own) (*Server, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serving metrics (--metrics): %w", err)
	}
	s := &Server{listener: l, page: func() []byte { return c.Text(own()) }, places: make(chan struct{}, places),
		open: map[net.Conn]bool{}}
	s.ended.Go(s.accept)
	return s, nil
}

// URL is where the metrics are.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/metrics" }

// Close ends it. An answer that is under way is broken off.
func (s *Server) Close() error {
	err := s.listener.Close()
	s.mu.Lock()
	s.closed = true
	for c := range s.open {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.ended.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// accept answers each connection in a goroutine of its own, until the listener is closed.
func (s *Server) accept() {
	for {
		s.places <- struct{}{}
		c, err := s.listener.Accept()
		switch {
		case err == nil && s.admit(c):
			s.ended.Go(func() {
				defer s.leave(c)
				answer(c, s.page)
			})
			continue
		case err == nil: // it came as the server was closed
			_ = c.Close()
		case !errors.Is(err, net.ErrClosed): // such as that there are too many open files
			time.Sleep(respite)
		default:
			return
		}
		<-s.places
	}
}

// admit takes a connection into those that Close breaks off, unless it has.
func (s *Server) admit(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.open[c] = true
	return true
}

func (s *Server) leave(c net.Conn) {
	s.mu.Lock()
	delete(s.open, c)
	s.mu.Unlock()
	_ = c.Close()
	<-s.places
}
