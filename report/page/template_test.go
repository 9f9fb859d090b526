package page

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func asText(t *testing.T, name string) string {
	t.Helper()
	s, err := asset(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestVersions checks that the chart library is the one that VERSIONS names.
func TestVersions(t *testing.T) {
	sum := sha256.Sum256([]byte(asText(t, "echarts.simple.min.js")))
	if !strings.Contains(asText(t, "VERSIONS"), hex.EncodeToString(sum[:])) {
		t.Errorf("echarts.simple.min.js has the checksum %x, which is not in assets/VERSIONS", sum)
	}
	if strings.Contains(asText(t, "echarts.simple.min.js"), "</script") {
		t.Error("echarts.simple.min.js ends a script element and cannot be embedded")
	}
}
