package gap

// This file reads what fio prints with --output-format=json as results of
// benchmarks: each job is a pattern, with a step for each direction it moved data in.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/bounded"
)

// errOther means that a file holds something other than results of fio.
var errOther = errors.New("not results of fio as JSON")

// maxValues bounds the values of fio's output: a job has some five hundred.
const maxValues = 1 << 20

// output is the part of fio's output that is used (fio 3.33, stat.c).
type output struct {
	Version string            `json:"fio version"`
	Global  map[string]string `json:"global options"`
	Jobs    []job             `json:"jobs"`
}

type job struct {
	Name    string            `json:"jobname"`
	Error   int               `json:"error"`
	Options map[string]string `json:"job options"`
	Read    side              `json:"read"`
	Write   side              `json:"write"`
}

type side struct {
	Bytes int64   `json:"io_bytes"`
	Rate  float64 `json:"bw_bytes"` // bytes per second
}

// readFio reads a file of results. It is errOther if another program wrote it.
func readFio(file string) (*baseline.Report, error) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(errOther, err)
	}
	text, err := bounded.File(file)
	if err != nil {
		return nil, err
	}
	return parse(file, text)
}

// parse skips what fio says before the object: notes and warnings.
func parse(file string, text []byte) (*baseline.Report, error) {
	var o output
	begin := bytes.IndexByte(text, '{')
	if begin < 0 || !bytes.Contains(text, []byte(`"fio version"`)) {
		return nil, errOther
	}
	if err := bounded.JSON(text[begin:], maxValues); err != nil {
		return nil, fmt.Errorf("reading %s: damaged results of fio: %w", file, err)
	}
	if err := json.NewDecoder(bytes.NewReader(text[begin:])).Decode(&o); err != nil {
		return nil, fmt.Errorf("reading %s: damaged results of fio: %w", file, err)
	}
	if len(o.Jobs) == 0 {
		return nil, fmt.Errorf("reading %s: fio ran no job", file)
	}
	r := &baseline.Report{Type: "bench", Version: 1}
	for _, j := range merged(o.Jobs) {
		r.Patterns = append(r.Patterns, j.pattern(o.Global))
	}
	return r, nil
}

// entries are those of one job: fio lists each of numjobs by itself unless
// group_reporting is given.
type entries struct {
	job
	count int
}

func merged(jobs []job) (list []*entries) {
	for _, j := range jobs {
		at := slices.IndexFunc(list, func(t *entries) bool { return t.Name == j.Name })
		if at < 0 {
			list = append(list, &entries{job: j, count: 1})
			continue
		}
		t := list[at]
		t.count++
		t.Read.Bytes, t.Read.Rate = t.Read.Bytes+j.Read.Bytes, t.Read.Rate+j.Read.Rate
		t.Write.Bytes, t.Write.Rate = t.Write.Bytes+j.Write.Bytes, t.Write.Rate+j.Write.Rate
		t.Error = cmp.Or(t.Error, j.Error)
	}
	return list
}

// pattern is a job in the terms of the catalogue.
func (t *entries) pattern(global map[string]string) baseline.PatternResult {
	option := func(name, otherwise string) string {
		for _, options := range []map[string]string{t.Options, global} {
			if v, ok := options[name]; ok {
				return v
			}
		}
		return otherwise
	}
	var p baseline.PatternResult
	p.Pattern.Name = "fio/" + t.Name
	invalid := t.invalid()
	var place baseline.PlaceResult
	for _, direction := range []struct {
		op   baseline.Op
		side side
	}{{baseline.Read, t.Read}, {baseline.Write, t.Write}} {
		if direction.side.Bytes == 0 {
			continue
		}
		step := settings(option, direction.op)
		step.Threads = t.threads(option)
		var res baseline.StepResult
		res.Step, res.Invalid = step.Name, invalid
		if step.Block == 0 {
			res.Invalid = "its blocks have several sizes"
		}
		res.Depth.Valid = true
		res.Rate = baseline.Summary{N: 1, Median: int64(direction.side.Rate)}
		p.Pattern.Steps = append(p.Pattern.Steps, step)
		place.Steps = append(place.Steps, res)
	}
	p.Places = []baseline.PlaceResult{place}
	return p
}

// invalid is why a job's rates are not the drive's; "" if nothing speaks against them.
func (t *entries) invalid() string {
	switch {
	case t.Error != 0:
		return fmt.Sprintf("fio ended with error %d (%v)", t.Error, syscall.Errno(t.Error))
	case t.Read.Bytes > 0 && t.Write.Bytes > 0:
		return "it read and wrote at once: neither rate is what the drive can do"
	}
	return ""
}

// threads is how many processes or threads did a job.
func (t *entries) threads(option func(name, otherwise string) string) int {
	n, err := strconv.Atoi(option("numjobs", "1"))
	if err != nil || t.count > 1 {
		return t.count
	}
	return max(n, 1)
}

// blocking are the engines that have one operation in flight, whatever iodepth
// says (fio's manual, I/O engine). The first is that of Linux unless one is named.
var blocking = []string{"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", "splice"}

// settings are those of one direction.
func settings(option func(name, otherwise string) string, op baseline.Op) baseline.Step {
	step := baseline.Step{Name: string(op), Op: op, Access: baseline.Sequential, Depth: 1, Cache: baseline.Buffered,
		Data: baseline.RandomData, Block: block(option, op)}
	if strings.HasPrefix(option("rw", option("readwrite", "read")), "rand") {
		step.Access = baseline.Random
	}
	if on(option("direct", "0")) || option("buffered", "1") == "0" {
		step.Cache = baseline.Direct
	}
	if slices.Contains(blocking, option("ioengine", blocking[0])) {
		step.Blocking = true
	} else if depth, err := strconv.Atoi(option("iodepth", "1")); err == nil {
		step.Depth = max(depth, 1)
	}
	if on(option("zero_buffers", "0")) {
		step.Data = baseline.Zero
	}
	device := strings.HasPrefix(option("filename", ""), "/dev/")
	step.Fresh = op == baseline.Write && !device && !on(option("overwrite", "0"))
	return step
}

// on reads a switch, which fio lists without a value where it was given without.
func on(v string) bool { return v == "" || v == "1" || v == "true" }

// block is the size of the blocks in a direction, 0 if they have several: bs is
// one size, or those of reads, writes and trims.
func block(option func(name, otherwise string) string, op baseline.Op) int64 {
	if option("bsrange", "") != "" || option("bssplit", "") != "" {
		return 0
	}
	sizes := strings.Split(option("bs", option("blocksize", "4k")), ",")
	at := 0
	if op == baseline.Write && len(sizes) > 1 {
		at = 1
	}
	return size(sizes[at])
}

// size reads a size as fio writes it: 4k, 1m, 4096; 0 if it is none. Units are
// powers of 1024 (kb_base).
func size(s string) int64 {
	s = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), "b"), "i")
	shift := 0
	for unit, bits := range map[string]int{"k": 10, "m": 20, "g": 30} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			s, shift = number, bits
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n <= 0 {
		return 0
	}
	return n << shift
}
