//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	workloads "github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// asyncOp is the part of an operation of io_uring that is compared.
type asyncOp struct {
	Op     string `json:"op"`
	Path   string `json:"path"`
	Path2  string `json:"path2"`
	Result int64  `json:"result"`
}

// uringCheck compares the operations on names that io_uring did with what was recorded. Before Linux 5.18 none are.
func uringCheck() (string, []string, error) {
	p, err := record("64MiB", "reads", "1")
	if err != nil {
		return "", nil, err
	}
	for _, l := range p.Trace.Limits {
		if l.Code == string(trace.LimitNoUring) { // nor does it know all of these operations before Linux 5.15
			return "not recorded", nil, nil
		}
	}
	if _, err := record("64MiB", workloads.Args("uring-names", workDir)[1:]...); err != nil {
		return "", nil, err
	}
	ops, err := asyncOps()
	if err != nil {
		return "", nil, err
	}
	found := fmt.Sprintf("%d operations with their names", len(ops))
	if len(ops) != len(workloads.UringNames) {
		return found, nil, fmt.Errorf("of %d", len(workloads.UringNames))
	}
	for i, want := range workloads.UringNames {
		if o := ops[i]; o.Path != named(want.First) || o.Path2 != named(want.Second) || o.Result != want.Result {
			return found, nil, fmt.Errorf("but operation %d is %+v, not %+v", i, o, want)
		}
	}
	return found, nil, nil
}

func named(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Join(workDir, name)
}

// asyncOps reads those of the trace that was recorded last.
func asyncOps() (ops []asyncOp, err error) {
	out, err := iotrace("events", "--json", "--kind", "asyncop", traceFile)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var o asyncOp
		if err := d.Decode(&o); errors.Is(err, io.EOF) {
			return ops, nil
		} else if err != nil {
			return nil, err
		}
		ops = append(ops, o)
	}
}
