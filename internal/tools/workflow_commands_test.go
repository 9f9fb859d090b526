//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Tests is one call of go test: of these packages, as they were given, in that directory.
type Tests struct {
	Dir      string
	Race     bool
	Some     bool // only tests that a pattern names
	Packages []string
}

// Tested finds the calls of go test in a script that runs at the top of a repository: its own, those of the targets of
// make that it names, and of what these name. It fails for targets and scripts that do not exist.
func Tested(top, script string) (all []Tests, err error) {
	script = strings.ReplaceAll(script, "\\\n", " ")
	for line := range strings.Lines(script) {
		dir := top
		for _, words := range commands(line) {
			if len(words) == 2 && words[0] == "cd" {
				dir = filepath.Join(dir, words[1])
				continue
			}
			more, err := tested(dir, words)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
	}
	return all, nil
}

func tested(dir string, words []string) ([]Tests, error) {
	switch {
	case len(words) == 0:
		return nil, nil
	case words[0] == "make":
		return made(dir, words[1:])
	case slices.Contains([]string{"scripts/test-fresh", "scripts/times"}, strings.TrimPrefix(words[0], "./")):
		return made(dir, words[1:])
	case strings.HasPrefix(strings.TrimPrefix(words[0], "./"), "scripts/"):
		if info, err := os.Stat(filepath.Join(dir, words[0])); err != nil || info.Mode()&0o111 == 0 {
			return nil, fmt.Errorf("%s is no script that can run", words[0])
		}
	case words[0] == "go" && len(words) > 1 && words[1] == "test":
		return []Tests{called(dir, words[2:])}, nil
	}
	return nil, nil
}

// made is what targets of make would run.
func made(dir string, args []string) ([]Tests, error) {
	c := exec.Command("make", append([]string{"-n", "--no-print-directory"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "MAKEFLAGS=", "MAKELEVEL=") // whoever started us
	out, err := c.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("make %s: %w", strings.Join(args, " "), err)
	}
	return Tested(dir, string(out))
}

// withValue are the flags that the next argument may belong to.
var withValue = []string{"-run", "-skip", "-fuzz", "-bench", "-timeout", "-exec", "-p", "-count", "-o"}

// called reads the arguments of go test.
func called(dir string, args []string) Tests {
	t := Tests{Dir: dir}
	for i := 0; i < len(args); i++ {
		flag, _, valued := strings.Cut(args[i], "=")
		switch {
		case !strings.HasPrefix(flag, "-"):
			t.Packages = append(t.Packages, args[i])
		case len(t.Packages) > 0:
			return t // for the tests themselves
		case flag == "-race":
			t.Race = true
		case slices.Contains([]string{"-run", "-skip", "-fuzz", "-bench"}, flag):
			t.Some = true
		}
		if !valued && slices.Contains(withValue, flag) {
			i++
		}
	}
	return t
}

// runners run the command that follows.
var runners = []string{"sudo", "env", "exec"}

// tokens are the words of a line, some of them in quotes, and what stands between its commands.
var tokens = regexp.MustCompile(`'[^']*'|"[^"]*"|&&|\|\||[;|]|[^\s'";|&]+`)

// commands splits a line, and leaves out who runs each command and with which settings.
func commands(line string) (all [][]string) {
	var words []string
	for _, token := range append(tokens.FindAllString(line, -1), ";") {
		if !strings.ContainsAny(token[:1], ";|&") {
			words = append(words, token)
			continue
		}
		for len(words) > 0 && (slices.Contains(runners, words[0]) || strings.ContainsAny(words[0], `="`)) {
			words = words[1:]
		}
		all, words = append(all, words), nil
	}
	return all
}

// ReadAll reads those of a repository.
func ReadAll(top string) ([]*Workflow, error) {
	files, err := filepath.Glob(filepath.Join(top, Dir, "*.y*ml"))
	if err != nil {
		return nil, err
	}
	var all []*Workflow
	for _, file := range files {
		w, err := Read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}
