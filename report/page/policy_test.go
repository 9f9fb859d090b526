package page

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
)

// Every page names its styles and scripts by hashes, and has nothing that the
// browser would not take.
func TestPagesAreSealed(t *testing.T) {
	page := string(seal([]byte(`<html><head><meta content="style-src style-hashes; script-src script-hashes">
<style>a{}</style></head><body><p style="width:3%">x</p><p style="width:3%">y</p>&#34; style=&#34;z&#34;
<script type="application/json">{}</script><script>const s = '<p style="width:1%">';</script></body></html>`)))
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	for _, want := range []string{
		"style-src " + hash("a{}") + " " + hash("\n[data-s=\"0\"][data-s][data-s]{width:3%}\n") + "; script-src " +
			hash(`const s = '<p style="width:1%">';`), `<p data-s="0">x</p><p data-s="0">y</p>`, `&#34; style=&#34;z&#34;`,
		`'<p style="width:1%">'`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in %s", want, page)
		}
	}
}
