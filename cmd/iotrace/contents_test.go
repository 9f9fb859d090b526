package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/formats"
)

// A file that is no trace may be one that its reader may not see, as root reads it for a user with a rule for sudo:
// what is wrong with it is said without what is in it.
func TestWhatIsNoTraceIsNotShown(t *testing.T) {
	for name, text := range map[string]string{
		"shadow":  "root:$y$j9T$zIbDrWq:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n",
		"key":     "-----BEGIN OPENSSH PRIVATE KEY-----\nzIbDrWq\n-----END OPENSSH PRIVATE KEY-----\n",
		"json":    `{"type":"zIbDrWq","version":1,"places":{"zIbDrWq":"zIbDrWq"}}`,
		"field":   `{"type":"bench","version":1,"places":"zIbDrWq"}`,
		"broken":  `{"type":"bench" zIbDrWq`,
		"short":   "zIbDrWq",
		"columns": "zIbDrWq,zIbDrWq\nzIbDrWq,1\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		lines := [][]string{{"show", path}, {"show", "--json", path}, {"events", path}, {"report", "-o", "-", path},
			{"whatif", path},
			{"whatif", "--drive", path, "../../testdata/cp.iotrace"}, {"diff", path, path}, {"gap", "--against", path, path},
			{"gap", "--against", path, "../../testdata/cp.iotrace"}, {"replay", "--dir", t.TempDir(), path},
			{"merge", "-o", filepath.Join(t.TempDir(), "m"), path, path}, {"import", "-o", filepath.Join(t.TempDir(), "i"),
				path}}
		for _, i := range formats.Importers {
			lines = append(lines, []string{"import", "-o", filepath.Join(t.TempDir(), "i"), "--from", i.From, path})
		}
		for _, line := range append(lines, exports(path)...) {
			status, out, warnings := command(line...)
			for _, part := range []string{"zIb", "root", "BEGIN"} {
				if strings.Contains(out+warnings, part) {
					t.Errorf("%s: %.60q (status %d) prints it: %s%s", name, line, status, out, warnings)
				}
			}
		}
	}
}
