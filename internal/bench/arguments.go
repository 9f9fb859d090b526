//go:build linux

package main

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
)

// errUsage says that the arguments are not what the measurement takes.
var errUsage = errors.New("arguments are missing, or too many")

// chosen reports whether a list names it, or names none.
func chosen(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}

// in is a command that runs in a directory.
func in(dir, name string, words ...string) *exec.Cmd {
	c := exec.Command(name, words...)
	c.Dir = dir
	return c
}
