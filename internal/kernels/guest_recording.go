//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// iotrace runs the program and returns what it printed.
func iotrace(args ...string) (string, error) {
	c := exec.Command("/iotrace", args...)
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("iotrace %s: %w: %s", args[0], err, stderr.String())
	}
	return string(out), err
}

// profile is the part of `show --json` that is compared.
type profile struct {
	Start   int64 `json:"start_ns"`
	Durable int64 `json:"durable_ns"`
	Trace   struct {
		WallStart time.Time `json:"wall_start"`
		IOLimits  []struct {
			Group  string `json:"group"`
			Device string `json:"device"`
			Write  int64  `json:"write_bytes_per_s"`
		} `json:"io_limits"`
		Limits []struct {
			Code string `json:"code"`
		} `json:"limits"`
	} `json:"trace"`
	Verdict struct {
		Causes []foundCause `json:"causes"`
	} `json:"verdict"`
	Devices []struct {
		Name  string  `json:"name"`
		Read  ioCount `json:"read"`
		Write ioCount `json:"write"`
	} `json:"devices"`
	Files []struct {
		Path  string  `json:"path"`
		Write ioCount `json:"device_write"`
	} `json:"files"`
	Calls []struct {
		Name  string `json:"name"`
		Count int64  `json:"count"`
	} `json:"calls"`
	Lost struct {
		Kinds map[string]int64 `json:"kinds"`
	} `json:"lost"`
}

type foundCause struct {
	Code      string `json:"code"`
	Certainty string `json:"certainty"`
	Text      string `json:"text"`
}

type ioCount struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes"`
}

// traceFile is what was recorded last.
const traceFile = "/tmp/trace"

// record records a workload of this program.
func record(buffer string, args ...string) (p profile, err error) {
	if _, err := iotrace(append([]string{"record", "-q", "-f", "--buffer", buffer, "-o", traceFile, "--", self},
		args...)...); err != nil {
		return p, err
	}
	out, err := iotrace("show", "--json", traceFile)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal([]byte(out), &p)
}

// heldBackBy is the first cause, but for waiting for a processor: emulated, on a busy host, a program may wait longer
// for that.
func (p profile) heldBackBy() foundCause {
	for _, c := range p.Verdict.Causes {
		if c.Code != "cpu_contention" {
			return c
		}
	}
	return foundCause{}
}

func (p profile) calls(name string) (n int64) {
	for _, c := range p.Calls {
		if c.Name == name || name == "" {
			n += c.Count
		}
	}
	return n
}

// diskstats is what the profile says of the disk.
func (p profile) diskstats() (seen diskstats) {
	for _, d := range p.Devices {
		if "/dev/"+d.Name == disk {
			seen = diskstats{d.Read.Count, d.Read.Bytes, d.Write.Count, d.Write.Bytes}
		}
	}
	return seen
}
