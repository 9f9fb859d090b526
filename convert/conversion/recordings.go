package conversion

import (
	"bytes"

	"github.com/iotrace/iotrace/trace/tracefile"
)

// recordings are files of tools whose text is imported, by how they begin: what is to be done with each.
var recordings = []struct {
	begins string
	do     string
}{
	{tracefile.Signature, "it is a trace already: iotrace show, report, diff, gap and export read it"},
	{"PERFILE2", "it is perf's own recording: import what `perf script -F comm,pid,tid,cpu,time,event,trace -i FILE` " +
		"prints of it (of one that perf trace made: perf trace -i FILE)"},
	{"\x17\x08Dtracing", "it is trace-cmd's own recording: import what `trace-cmd report -i FILE` prints of it"},
	{"PML_", "it is Process Monitor's own recording: import what File, Save, CSV makes of it"},
}

// recording is what to do with a file that begins so, "" if that is not known.
func recording(head []byte) string {
	for _, r := range recordings {
		if bytes.HasPrefix(head, []byte(r.begins)) {
			return r.do
		}
	}
	return ""
}
