//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

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
