package block

import (
	"bytes"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
)

// ParseDevice reads the number of a device as these tools print it: "259,0".
func ParseDevice(text []byte) (trace.DeviceID, bool) {
	major, minor, ok := bytes.Cut(text, []byte(","))
	if !ok {
		return 0, false
	}
	return MakeDevice(major, minor)
}

// MakeDevice reads the two numbers of a device.
func MakeDevice(major, minor []byte) (trace.DeviceID, bool) {
	a, ok1 := convert.ParseUint(major, 12)
	n, ok2 := convert.ParseUint(minor, 20)
	return trace.MakeDeviceID(uint32(a), uint32(n)), ok1 && ok2
}

// Bracketed is what stands at the end of a line between brackets: a command, or the error of a completion.
func Bracketed(text []byte) []byte {
	i, j := bytes.IndexByte(text, '['), bytes.LastIndexByte(text, ']')
	if i < 0 || j < i {
		return nil
	}
	return text[i+1 : j]
}
