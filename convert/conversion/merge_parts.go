package conversion

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Parts are traces with what the user says of them, as FILE=NAME and FILE=TIME; FILE may be without its directory.
func Parts(paths, names, offsets []string) ([]Part, error) {
	parts := make([]Part, len(paths))
	for i, path := range paths {
		parts[i].Path = path
	}
	for _, s := range names {
		p, name, err := said(parts, s)
		if err != nil {
			return nil, fmt.Errorf("--name %s: %w", s, err)
		}
		p.Name = name
	}
	for _, s := range offsets {
		p, text, err := said(parts, s)
		if err != nil {
			return nil, fmt.Errorf("--offset %s: %w", s, err)
		}
		if p.Late, err = time.ParseDuration(text); err != nil {
			return nil, fmt.Errorf("--offset %s: %w (want a time such as +1.2ms or -3s)", s, err)
		}
	}
	return parts, nil
}

// said finds the trace that a text is about.
func said(parts []Part, text string) (part *Part, value string, err error) {
	i := strings.LastIndexByte(text, '=')
	if i <= 0 || i == len(text)-1 {
		return nil, "", errors.New("want FILE=VALUE")
	}
	for j := range parts {
		if p := &parts[j]; p.Path == text[:i] || filepath.Base(p.Path) == text[:i] {
			if part != nil {
				return nil, "", fmt.Errorf("%s may be %s and %s", text[:i], part.Path, p.Path)
			}
			part = p
		}
	}
	if part == nil {
		return nil, "", fmt.Errorf("%s is none of the traces", text[:i])
	}
	return part, text[i+1:], nil
}
