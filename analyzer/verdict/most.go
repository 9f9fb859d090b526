package verdict

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// none is how much there is of something in what does not count.
const none = -1

// most is what has most of something in a list, and its index; nil if nothing in it counts.
func most[T any](list []T, of func(*T) int64) (best *T, index int) {
	largest := int64(none)
	for i := range list {
		if n := of(&list[i]); n > largest {
			best, index, largest = &list[i], i, n
		}
	}
	return best, index
}

// leading names, in brackets, those that have a fifth of something at least; "" if there are none.
func leading[T any](list []T, of func(*T) (name string, n int64)) string {
	have, all := map[string]int64{}, int64(0)
	var names []string
	for i := range list {
		name, n := of(&list[i])
		if have[name] == 0 && name != "" {
			names = append(names, name)
		}
		have[name], all = have[name]+n, all+n
	}
	names = slices.DeleteFunc(names, func(n string) bool { return float64(have[n]) < fifth*float64(all) })
	if len(names) == 0 {
		return ""
	}
	return " (" + unit.List(names) + ")"
}

// longest is the call of a kind that took most time.
func longest(a *account, of func(*profile.Call) bool) (*profile.Call, int) {
	return most(a.p.Calls, func(c *profile.Call) int64 {
		if !of(c) {
			return none
		}
		return c.TimeNS
	})
}

// bytes is how much a flow moved, if there is one.
func bytes(f *profile.Flow) int64 {
	if f == nil {
		return none
	}
	return f.Bytes
}

// mostRead is the file of which most was read from a device.
func mostRead(a *account) (*profile.File, int) {
	return most(a.p.Files, func(f *profile.File) int64 { return bytes(f.DeviceRead) })
}
