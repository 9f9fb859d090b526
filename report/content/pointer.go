package content

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// Proof says in words where a number stands that a sentence rests on, and the number with its unit.
func Proof(p *profile.Profile, e *profile.Evidence) (where, value string) {
	parts := strings.Split(strings.Trim(visible.Text(e.Pointer), "/"), "/")
	var words []string
	for i := 0; i < len(parts); i++ {
		word := inWords(parts[i])
		if i+1 < len(parts) {
			if n, err := strconv.Atoi(parts[i+1]); err == nil {
				i++
				word = element(p, strings.Join(parts[:i], "/"), n)
			}
		}
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ": "), quantity(strings.Join(parts, "/"), e.Value)
}

// element names what stands at a place of a list: as the user knows it, or else by its number.
func element(p *profile.Profile, list string, n int) string {
	at := func(length int) bool { return n >= 0 && n < length }
	switch {
	case list == "devices" && at(len(p.Devices)):
		return visible.Text(p.Devices[n].Name)
	case list == "files" && at(len(p.Files)):
		return visible.Shorten(FilePath(p.Files[n]), 80)
	case list == "processes" && at(len(p.Processes)):
		return visible.Text(p.Processes[n].Command)
	case list == "calls" && at(len(p.Calls)):
		return visible.Text(p.Calls[n].Name)
	case list == "server_requests" && at(len(p.ServerRequests)):
		return visible.Text(p.ServerRequests[n].Procedure + " by " + p.ServerRequests[n].Server)
	case list == "layers" && at(len(p.Layers)):
		return LayerName(&p.Layers[n])
	case list == "copies" && at(len(p.Copies)):
		return "copy to " + visible.Shorten(visible.Text(p.Copies[n].Destination), 80)
	case list == "launches" && at(len(p.Launches)):
		return "start of " + visible.Text(p.Launches[n].Exe)
	case list == "scrubs" && at(len(p.Scrubs)):
		return "jumps in " + visible.Shorten(visible.Text(p.Scrubs[n].Path), 80)
	case list == "time_stack/slices" && at(len(p.TimeStack.Slices)):
		return visible.Text(p.TimeStack.Slices[n].Text)
	}
	kind := list[strings.LastIndexByte(list, '/')+1:]
	if one := singular[kind]; one != "" {
		return fmt.Sprintf("%s %d", one, n+1)
	}
	return fmt.Sprintf("%s, %d", inWords(kind), n+1)
}

var singular = map[string]string{"copy_groups": "tree", "change_points": "step", "bounds": "limit", "modes": "peak",
	"parts": "part", "io_limits": "limit of a cgroup", "what_if": "what if"}

// names are parts of a pointer that are not words of the field.
var names = map[string]string{"time_stack": "time", "slices": "", "thread_ns": "time of threads", "size_bytes": "size",
	"latency_ns": "latency", "mean_busy": "mean while busy", "p50": "median",
	"p90": "90th percentile", "p99": "99th percentile",
	"think_ns": "think time", "bytes_per_s": "speed", "ns": "", "depth": "queue depth", "wall_ns": "time to return",
	"durable_ns": "time until durable"}

func inWords(name string) string {
	if word, known := names[name]; known {
		return word
	}
	for _, ending := range []string{"_bytes_per_s", "_ns", "_bytes"} {
		if cut, is := strings.CutSuffix(name, ending); is {
			if ending == "_bytes_per_s" {
				cut += " speed"
			}
			name = cut
			break
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}

// quantity prints a number with the unit that the name of its place has.
func quantity(pointer string, v float64) string {
	switch {
	case strings.HasSuffix(pointer, "bytes_per_s"):
		return unit.Rate(v)
	case strings.HasSuffix(pointer, "share") || strings.HasSuffix(pointer, "reached"):
		return unit.Share(v)
	case strings.Contains(pointer, "_ns") || strings.HasSuffix(pointer, "/ns"):
		return unit.Nanoseconds(int64(v))
	case strings.Contains(pointer, "size_bytes") || strings.HasSuffix(pointer, "buffer_bytes"):
		return unit.BlockSize(int64(v))
	case strings.Contains(pointer, "bytes"):
		return unit.Bytes(int64(v))
	}
	if v == float64(int64(v)) {
		return unit.Count(int64(v))
	}
	return unit.Significant(v, 3)
}
