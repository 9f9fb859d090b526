//go:build linux

package main

// This file judges the trace that is made of those of an NFS client and of its server.

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// sentPath is where the merged trace has the file that the client writes.
const sentPath = "//client/mnt/written"

// judgeMerged merges client.iotrace and server.iotrace of a directory to both.iotrace there, with the program iotrace,
// and holds them against each other and against the size of the file that the client wrote. It says what they
// tell, and fails if that cannot be.
func judgeMerged(program, dir string, size int64) (string, error) {
	client, server := filepath.Join(dir, "client.iotrace"), filepath.Join(dir, "server.iotrace")
	both := filepath.Join(dir, "both.iotrace")
	if out, err := exec.Command(program, "merge", "-q", "-f", "-o", both, client, server).CombinedOutput(); err != nil {
		return "", fmt.Errorf("iotrace merge: %w: %s", err, out)
	}
	w, err := readWork(both)
	if err != nil {
		return "", err
	}
	if err := w.shown(program, both); err != nil {
		return "", err
	}
	for _, path := range []string{client, server} {
		off, err := clockError(path)
		if err != nil {
			return "", err
		}
		w.uncertain += off
	}
	return w.found(), w.judge(size)
}

// shown asks show when the copy to the server was safe, and what limited it.
func (w *work) shown(program, path string) error {
	out, err := exec.Command(program, "show", "--json", path).Output()
	if err != nil {
		return fmt.Errorf("iotrace show: %w", err)
	}
	var p struct {
		Copies []struct {
			Destination string `json:"destination"`
			Start       int64  `json:"start_ns"`
			Durable     int64  `json:"durable_ns"`
		} `json:"copies"`
		Path struct {
			Parts []struct {
				Place struct {
					Process string `json:"process"`
					RPC     string `json:"rpc"`
				} `json:"place"`
				NS int64 `json:"ns"`
			} `json:"parts"`
		} `json:"path"`
		Verdict struct {
			Causes []struct {
				Code  string  `json:"code"`
				Share float64 `json:"share"`
			} `json:"causes"`
		} `json:"verdict"`
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return err
	}
	for _, c := range p.Verdict.Causes {
		switch c.Code {
		case cause.NetworkFS:
			w.byServer = c.Share
		case cause.OtherEnd:
			w.byOthers = c.Share
		}
	}
	for _, x := range p.Path.Parts {
		if x.Place.Process == "nfsd@server" && x.Place.RPC != "" {
			w.there += x.NS
		}
	}
	for _, c := range p.Copies {
		if c.Destination == sentPath {
			w.durable = c.Start + c.Durable
			return nil
		}
	}
	return fmt.Errorf("show knows no copy to %s", sentPath)
}

// clockError is how far the clock of a recording may have been off.
func clockError(path string) (time.Duration, error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	header := f.Header()
	return time.Duration(header.ClockError), nil
}
