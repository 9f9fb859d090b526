package tracer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A disk has its partitions and what is built on them; what cannot be named says what can.
func TestFindDisk(t *testing.T) {
	root := t.TempDir()
	for file, text := range map[string]string{
		"sda/dev": "8:0\n", "sda/size": "100\n", "sda/sda1/dev": "8:1\n", "sda/sda1/partition": "1\n",
		"sda/queue/x": "", "sda1/dev": "8:1\n", "sda1/partition": "1\n", "sda1/size": "50\n", "sda1/holders/dm-0/x": "",
		"dm-0/dev": "253:0\n", "dm-0/size": "50\n", "loop0/dev": "7:0\n", "loop0/size": "0\n",
	} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := findDisk(root, "/dev/sda")
	want := []trace.DeviceID{trace.MakeDeviceID(8, 0), trace.MakeDeviceID(8, 1), trace.MakeDeviceID(253, 0)}
	if err != nil || d.Name != "sda" || !slices.Equal(d.On, want) {
		t.Errorf("%+v, %v", d, err)
	}
	for _, name := range []string{"sdb", "sda1", "", "..", "/dev/", "/no/such"} {
		if d, err := findDisk(root, name); err == nil || !strings.Contains(err.Error(), "there are dm-0, sda") {
			t.Errorf("%q: %+v, %v", name, d, err)
		}
	}
}
