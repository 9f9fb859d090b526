package requests

import (
	"bytes"
	"strconv"

	"github.com/iotrace/iotrace/trace"
)

// ParseDevice reads the number of a device as these tools print it: "259,0".
func ParseDevice(text []byte) (trace.DeviceID, bool) {
	major, minor, ok := bytes.Cut(text, []byte(","))
	a, err1 := strconv.ParseUint(string(major), 10, 12)
	n, err2 := strconv.ParseUint(string(minor), 10, 20)
	return trace.MakeDeviceID(uint32(a), uint32(n)), ok && err1 == nil && err2 == nil
}

// Bracketed is what stands at the end of a line between brackets: a command, or the error of a completion.
func Bracketed(text []byte) []byte {
	i, j := bytes.IndexByte(text, '['), bytes.LastIndexByte(text, ']')
	if i < 0 || j < i {
		return nil
	}
	return text[i+1 : j]
}
