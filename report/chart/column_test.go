package chart

import (
	"encoding/base64"
	"encoding/binary"
	"testing"
)

// varints reads a column as the page does.
func varints(t *testing.T, a array, differences bool) (out []int64) {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(a.Data)
	if err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	for len(b) > 0 {
		v, n := binary.Varint(b)
		if b = b[n:]; differences {
			v += last
			last = v
		}
		out = append(out, v)
	}
	return out
}
