//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// result is what a check found; the same struct stands on the other side.
type result struct {
	Check  string   `json:"check"`
	OK     bool     `json:"ok"`
	Found  string   `json:"found"`
	Limits []string `json:"limits,omitempty"`
}

// mark tells results from what else is on the console.
const mark = "@@iotrace "

func report(r result) {
	b, _ := json.Marshal(r)
	fmt.Printf("\n%s%s\n", mark, b)
}

type check struct {
	name string
	find func() (found string, limits []string, err error)
}

func (c check) run() result {
	found, limits, err := c.find()
	if err != nil {
		return result{Check: c.name, Found: strings.TrimSpace(found + " " + err.Error()), Limits: limits}
	}
	return result{Check: c.name, OK: true, Found: found, Limits: limits}
}

var checks = []check{
	{"kernel", release},
	{"doctor", doctor},
	{"self-test", selfTest},
	{"copy", copyCheck},
	{"direct", directCheck},
	{"limit", limitCheck},
	{"biosnoop", biosnoopCheck},
	{"storm", func() (string, []string, error) { return stormCheck(30_000, "64MiB") }},
	{"overflow", func() (string, []string, error) { return stormCheck(30_000, "64KiB") }},
}

func release() (string, []string, error) {
	var u unix.Utsname
	err := unix.Uname(&u)
	return unix.ByteSliceToString(u.Release[:]), nil, err
}

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

type tried struct {
	Name     string `json:"name"`
	OK       bool   `json:"ok"`
	Required bool   `json:"required"`
	Found    string `json:"found"`
}

func doctor() (string, []string, error) {
	out, failed := iotrace("doctor", "--json")
	var d struct {
		Records  bool   `json:"records"`
		Uses     string `json:"uses"`
		Backends []struct {
			Name   string  `json:"name"`
			Checks []tried `json:"checks"`
		} `json:"backends"`
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		return out, nil, errors.Join(failed, err)
	}
	var limits, found []string
	for _, b := range d.Backends {
		for _, c := range b.Checks {
			switch {
			case b.Name != "ebpf" || c.OK:
			case c.Required:
				found = append(found, c.Name+": "+c.Found)
			default:
				limits = append(limits, c.Found)
			}
		}
	}
	if !d.Records || d.Uses != "ebpf" {
		return strings.Join(found, "; "), limits, errors.Join(errors.New("nothing can be recorded"), failed)
	}
	return "records with " + d.Uses, limits, nil
}

func selfTest() (string, []string, error) {
	out, err := iotrace("doctor", "--self-test", "--json")
	var d struct {
		SelfTest struct {
			Checks []tried `json:"checks"`
		} `json:"self_test"`
	}
	if e := json.Unmarshal([]byte(out), &d); e != nil {
		return out, nil, errors.Join(err, e)
	}
	passed := 0
	var bad []string
	for _, c := range d.SelfTest.Checks {
		if c.OK {
			passed++
		} else {
			bad = append(bad, c.Name+": "+c.Found)
		}
	}
	if err == nil && len(bad) > 0 {
		err = errors.New("are right")
	}
	return strings.TrimSpace(fmt.Sprintf("%d of %d %s", passed, len(d.SelfTest.Checks), strings.Join(bad, "; "))), nil, err
}

// profile is the part of `show --json` that is compared.
type profile struct {
	Trace struct {
		IOLimits []struct {
			Group  string `json:"group"`
			Device string `json:"device"`
			Write  int64  `json:"write_bytes_per_s"`
		} `json:"io_limits"`
	} `json:"trace"`
	Verdict struct {
		Causes []struct {
			Code      string `json:"code"`
			Certainty string `json:"certainty"`
			Text      string `json:"text"`
		} `json:"causes"`
	} `json:"verdict"`
	Devices []struct {
		Name  string `json:"name"`
		Read  moved  `json:"read"`
		Write moved  `json:"write"`
	} `json:"devices"`
	Files []struct {
		Path  string `json:"path"`
		Write moved  `json:"device_write"`
	} `json:"files"`
	Calls []struct {
		Name  string `json:"name"`
		Count int64  `json:"count"`
	} `json:"calls"`
	Lost struct {
		Kinds map[string]int64 `json:"kinds"`
	} `json:"lost"`
}

type moved struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes"`
}

// record records a workload of this program.
func record(buffer string, args ...string) (p profile, err error) {
	const file = "/tmp/trace"
	if _, err := iotrace(append([]string{"record", "-q", "-f", "--buffer", buffer, "-o", file, "--", self},
		args...)...); err != nil {
		return p, err
	}
	out, err := iotrace("show", "--json", file)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal([]byte(out), &p)
}

func (p profile) calls(name string) (n int64) {
	for _, c := range p.Calls {
		if c.Name == name || name == "" {
			n += c.Count
		}
	}
	return n
}

// copyCheck compares the requests of a cold copy with the kernel's counters.
func copyCheck() (string, []string, error) {
	if err := dropCaches(); err != nil {
		return "", nil, err
	}
	before, err := readDiskstats()
	if err != nil {
		return "", nil, err
	}
	p, err := record("64MiB", "copy", work+"/source", work+"/copy")
	if err != nil {
		return "", nil, err
	}
	after, err := readDiskstats()
	if err != nil {
		return "", nil, err
	}
	kernel := after.since(before)
	seen := p.diskstats()
	lost := p.Lost.Kinds["request"]
	found := fmt.Sprintf("%d reads of %d bytes, %d writes of %d bytes, %d lost", seen.Reads, seen.ReadBytes, seen.Writes,
		seen.WrittenBytes, lost)
	// The journal may write between the end of the recording and the second look at the counters, at either end.
	if lost == 0 && seen.ReadBytes == kernel.ReadBytes && seen.Reads == kernel.Reads &&
		seen.WrittenBytes >= sourceBytes && seen.WrittenBytes <= kernel.WrittenBytes {
		return found, nil, nil
	}
	return found, nil, fmt.Errorf("but the kernel counted %d of %d and %d of %d", kernel.Reads, kernel.ReadBytes,
		kernel.Writes, kernel.WrittenBytes)
}

const sourceBytes = 32 << 20

// stormCheck compares the calls of three programs on one processor with what they made.
func stormCheck(each int64, buffer string) (string, []string, error) {
	others, err := idleCalls()
	if err != nil {
		return "", nil, err
	}
	p, err := record(buffer, "storm", strconv.FormatInt(each, 10))
	if err != nil {
		return "", nil, err
	}
	made := readers * each
	recorded, rest, lost := p.calls("pread64"), p.calls("")-p.calls("pread64"), p.Lost.Kinds["syscall"]
	found := fmt.Sprintf("%d reads recorded, %d calls lost, %d others recorded", recorded, lost, rest)
	rest += recorded + lost - made // all calls that are not reads
	if recorded > made || recorded+lost < made || rest < others-slack || rest > others+slack ||
		lost == 0 && recorded != made {
		return found, nil, fmt.Errorf("but %d reads were made, and %d other calls without them", made, others)
	}
	return found, nil, nil
}

// idleCalls is how many calls the programs make beside their reads.
var idleCalls = sync.OnceValues(func() (int64, error) {
	p, err := record("64MiB", "storm", "0")
	return p.calls(""), err
})

// slack is by how many calls two starts of Go programs may differ.
const slack = 60
