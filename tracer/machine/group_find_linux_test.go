package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
)

// A group as Podman makes it is found by the beginning of the ID, in each hierarchy, and what watches over it is not.
func TestFind(t *testing.T) {
	testenv.NeedRoot(t)
	text, err := os.ReadFile(host.OwnMounts)
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, m := range host.ParseMounts(string(text)) {
		if m.FSType != "cgroup" && m.FSType != "cgroup2" {
			continue
		}
		slice := filepath.Join(m.Point, "iotrace-containers.slice")
		dir := filepath.Join(slice, "libpod-"+id("10face0")+".scope")
		for _, dir := range []string{slice, dir, filepath.Join(slice, "libpod-conmon-"+id("10face0")+".scope")} {
			if err := os.Mkdir(dir, 0o755); err != nil {
				testenv.Missing(t, "no control group: %v", err)
			}
			defer func() {
				if err := os.Remove(dir); err != nil {
					t.Error(err)
				}
			}()
		}
		made++
		groups, err := Containers("10face0")
		if err != nil || len(groups) != 1 || groups[0].Name != "10face0" ||
			!strings.HasSuffix(groups[0].Path, "/iotrace-containers.slice/libpod-"+id("10face0")+".scope") {
			t.Errorf("%s: %+v, %v", m.Point, groups, err)
		}
	}
	if made == 0 {
		testenv.Missing(t, "no hierarchy of control groups is mounted")
	}
	_, err = Containers("10face1")
	if err == nil || !strings.Contains(err.Error(), "there are ") || !strings.Contains(err.Error(), "10face000000") {
		t.Errorf("of one that is not there: %v", err)
	}
}
