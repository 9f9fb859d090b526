package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/metrics"
)

// metricsFlag serves what a recorder counts to Prometheus.
type metricsFlag struct {
	address  string
	counters *metrics.Counters // nil: nobody is told
	mu       sync.Mutex
	source   tracer.Source // nil while there is none
}

func (m *metricsFlag) add(f *pflag.FlagSet) {
	f.StringVar(&m.address, "metrics", "",
		"serve metrics to Prometheus at `ADDR`: a port for this machine alone, or ADDRESS:PORT")
}

func (m *metricsFlag) check() error {
	if m.address == "" {
		return nil
	}
	if _, err := metrics.Address(m.address); err != nil {
		return fmt.Errorf("--metrics %w", err)
	}
	return nil
}

// serve listens before anything is recorded, until stop is called.
func (m *metricsFlag) serve(say func(format string, args ...any)) (stop func(), err error) {
	if m.address == "" {
		return func() {}, nil
	}
	address, err := metrics.Address(m.address)
	if err != nil {
		return nil, err
	}
	m.counters = metrics.New()
	server, err := metrics.Serve(address, m.counters, m.own)
	if err != nil {
		return nil, err
	}
	say("iotrace: metrics are at %s\n", server.URL())
	return func() { _ = server.Close() }, nil
}

// opened takes the source, or nil before that is closed.
func (m *metricsFlag) opened(s tracer.Source) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.source = s
}

// own is what recording has cost so far.
func (m *metricsFlag) own() metrics.Own {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := metrics.Own{Version: cli.Version(), RSS: host.MaxRSS()}
	o.CPU, _ = host.ProcessCPU(os.Getpid())
	if m.source != nil {
		s := m.source.Stats()
		o.Probes = max(time.Duration(s.Cost.ProbeCPU), 0)
		for _, n := range s.Lost {
			o.Lost += n
		}
	}
	return o
}
