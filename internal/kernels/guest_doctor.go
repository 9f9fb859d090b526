//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

func release() (string, []string, error) {
	var u unix.Utsname
	err := unix.Uname(&u)
	return unix.ByteSliceToString(u.Release[:]), nil, err
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
	for _, l := range limits {
		if strings.Contains(l, "the kernel refused the probe") { // there it could be recorded
			return l, limits, errors.New("(a probe that does not fit)")
		}
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
