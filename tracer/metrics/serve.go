package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
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
	server   *http.Server
	ended    chan struct{}
}

// patience is how long an answer may take.
const patience = 10 * time.Second

// Serve listens at an address, and asks own with each answer.
func Serve(address string, c *Counters, own func() Own) (*Server, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serving metrics (--metrics): %w", err)
	}
	pages := http.NewServeMux()
	pages.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write(c.Text(own())) // who has gone needs none
	})
	s := &Server{listener: l, ended: make(chan struct{}), server: &http.Server{Handler: pages,
		ReadTimeout: patience, WriteTimeout: patience, MaxHeaderBytes: 16 << 10}}
	go func() {
		defer close(s.ended)
		_ = s.server.Serve(l)
	}()
	return s, nil
}

// URL is where the metrics are.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/metrics" }

// Close ends it. An answer that is under way is broken off.
func (s *Server) Close() error {
	err := s.server.Close()
	<-s.ended
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
