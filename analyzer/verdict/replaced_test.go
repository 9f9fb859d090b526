package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Writes that a call waited for which replaces a file are told as that, and what helps by the file system.
func TestReplaced(t *testing.T) {
	for _, c := range []struct {
		op           trace.Op
		fs           string
		text, remedy string
		kind         trace.FileType
	}{
		{trace.OpRename, "ext4", "rename waited until files that it replaced were written, 1.00 s in all: ",
			"noauto_da_alloc", trace.FileRegular},
		{trace.OpUnlink, "xfs", "unlink waited until files that it replaced", "in place", trace.FileRegular},
		{trace.OpTruncate, "ext4", "truncate waited until files that it replaced", "remove the old file first",
			trace.FileRegular},
		{trace.OpClose, "btrfs", "close waited until files that it replaced", "or write to a new name", trace.FileRegular},
		{trace.OpWrite, "ext4", "", "", trace.FileRegular},
		{trace.OpClose, "devtmpfs", "", "", trace.FileBlock},
	} {
		p := spent(map[string]int64{"device_write": second}, map[string]int64{"waiting_io": second})
		d := drive(1)
		d.Write, d.Read = d.Read, nil
		p.Devices = []profile.Device{d}
		p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second}}
		p.Calls = []profile.Call{{Op: c.op, Name: c.op.String(), Count: 100, TimeNS: second}}
		p.Files = []profile.File{{Path: "/a/b", Device: d.ID, FSType: c.fs, Type: c.kind,
			Write: &profile.Flow{Bytes: 1 << 20}, Ops: []profile.OpCount{{Op: c.op, TimeNS: second}}}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Place: profile.PathPlace{
			What: "service", Label: "device_write", Call: c.op.String(), Device: "sda", Request: "write"}}}}
		got := verdict.Judge(p).Causes[0]
		told := strings.Contains(got.Text, "that it replaced")
		if got.Code != cause.DeviceLatency && got.Code != cause.DeviceBandwidth || told != (c.text != "") ||
			!strings.Contains(got.Text, c.text) || !strings.Contains(got.Remedy, c.remedy) {
			t.Errorf("%s on %s: %+v", c.op, c.fs, got)
		}
	}
}
