//go:build !linux

package machine

import (
	"errors"
	"fmt"
)

// GroupSearch finds nothing: macOS has no control groups.
type GroupSearch struct{}

// OpenGroups begins to look.
func OpenGroups(func() []uint32, func() int64) *GroupSearch { return &GroupSearch{} }

// Close ends the search.
func (*GroupSearch) Close() (found FoundGroups) { return found }

// FindGroup finds none.
func FindGroup(path string) (Group, error) {
	return Group{}, fmt.Errorf("control group %s: %w: this system has no control groups", path, errors.ErrUnsupported)
}

// Groups lists none.
func Groups(func(string) bool) ([]Group, error) {
	return nil, fmt.Errorf("listing control groups: %w: this system has none", errors.ErrUnsupported)
}

// Processes lists nobody.
func (Group) Processes() ([]uint32, error) { return nil, nil }
