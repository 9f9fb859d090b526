package darwin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/darwin"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// table is an export of one table. A column is its mnemonic and type.
func table(name string, columns []string, rows ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0"?><trace-query-result><node xpath='//table[11]'><schema name=%q>`, name)
	for _, c := range columns {
		mnemonic, kind, _ := strings.Cut(c, ":")
		fmt.Fprintf(&b, "<col><mnemonic>%s</mnemonic><name>A Column</name><engineering-type>%s</engineering-type></col>", mnemonic, kind)
	}
	b.WriteString("</schema>" + strings.Join(rows, "") + "</node></trace-query-result>")
	return b.String()
}

// fileActivity are the columns of fs-syscall in Xcode 27.
var fileActivity = strings.Fields("start:start-time duration:duration end:event-time syscall:syscall signature:narrative type:string " +
	"arg1:syscall-arg arg2:syscall-arg arg3:syscall-arg arg4:syscall-arg return:syscall-return process:process backtrace:backtrace " +
	"thread:thread file-created:boolean file-deleted:boolean vnode:vnode path:file-path narrative:narrative fd:fd file-mode:string " +
	"lwrites:size-in-bytes lreads:size-in-bytes bytes:size-in-bytes errno:syscall-return")

// values are what a row of it holds; what is empty is a sentinel.
type values struct {
	start                       int
	call, ret, path, fd, lw, lr string
	errno                       string
	a1, a2, a3, a4              int64
}

func (v values) row() string {
	or := func(element, text string) string {
		if text == "" {
			return "<sentinel/>"
		}
		return fmt.Sprintf("<%s fmt=\"shown\">%s</%s>", element, text, element)
	}
	arg := func(n int64) string { return fmt.Sprintf(`<syscall-arg fmt="%#x">%d</syscall-arg>`, n, n) }
	return fmt.Sprintf(`<row><start-time fmt="00:00">%d</start-time><duration fmt="1">500</duration><sentinel/>`+
		`<syscall fmt=%q>BSC_%s</syscall><narrative fmt="x()"><syscall fmt="x"/></narrative><string fmt="Read">Read</string>`, v.start,
		v.call, v.call) + arg(v.a1) + arg(v.a2) + arg(v.a3) + arg(v.a4) + or("syscall-return", v.ret) +
		`<process fmt="cp (77)"><pid fmt="77">77</pid></process><backtrace><frame name="f"/></backtrace>` +
		`<thread fmt="Main"><tid fmt="0x9">9</tid><process fmt="cp (77)"><pid>77</pid></process></thread>` +
		`<boolean fmt="No">0</boolean><sentinel/><vnode fmt="0xf">15</vnode>` + or("file-path", v.path) +
		`<narrative fmt="told"/>` + or("fd", v.fd) + "<sentinel/>" + or("size-in-bytes", v.lw) + or("size-in-bytes", v.lr) +
		`<size-in-bytes fmt="0 Bytes">0</size-in-bytes>` + or("syscall-return", v.errno) + "</row>"
}

// Xcode 26 and 27 name the table, and have result and error in columns of one type. Every row names its file, also of
// descriptors that were open before.
func TestFileActivityOfXcode27(t *testing.T) {
	for _, name := range []string{"fs-syscall", "FsSyscall", "fs_syscall"} {
		log, c := trial.Import(t, &darwin.Instruments, table(name, fileActivity,
			values{start: 1000, call: "stat64", ret: "0", path: "/missing", errno: "2"}.row(),
			values{start: 2000, call: "open", ret: "4", path: "/made", fd: "4", a2: 0x601}.row(),
			values{start: 3000, call: "read", ret: "100", path: "/before", fd: "3", a1: 3, a3: 4096, lr: "100"}.row(),
			values{start: 4000, call: "write", ret: "100", path: "/made", fd: "4", a1: 4, a3: 100, lw: "100"}.row(),
			values{start: 5000, call: "write", ret: "0", path: "/made", fd: "4", a1: 4, a3: 50, lw: "50"}.row(),
			values{start: 6000, call: "write", ret: "18446744073709551615", path: "/made", fd: "4", a1: 4, a3: 50, errno: "28"}.row(),
			values{start: 7000, call: "close", ret: "0", path: "/before", fd: "3", a1: 3}.row(),
			values{start: 8000, call: "read", ret: "7", path: "/after", fd: "3", a1: 3, a3: 4096}.row()))
		trial.Calls(t, &darwin.Instruments, log, []string{
			"77 stat64 fd=-1 /missing at -1 req 0 = -2, 1000+500",
			"77 open fd=4 /made at -1 req 0 = 4, 2000+500",
			"77 read fd=3 /before at -1 req 4096 = 100, 3000+500",
			"77 write fd=4 /made at 0 req 100 = 100, 4000+500",
			"77 write fd=4 /made at 100 req 50 = 50, 5000+500",
			"77 write fd=4 /made at 150 req 50 = -28, 6000+500",
			"77 close fd=3 /before at -1 req 0 = 0, 7000+500",
			"77 read fd=3 /after at -1 req 4096 = 7, 8000+500",
		})
		if c.Damaged > 0 || c.Skipped > 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// A table of disk requests is known by its column of operations, whatever it is called.
func TestDiskRequestsOfInstruments(t *testing.T) {
	columns := strings.Fields("start:start-time duration:duration process:process thread:thread operation:diskio-operation " +
		"device:string block:uint64 size:size-in-bytes path:file-path")
	row := func(start int, operation, size, path string) string {
		return fmt.Sprintf(`<row><start-time>%d</start-time><duration>300</duration><process fmt="cp (77)"><pid>77</pid></process>`+
			`<thread><tid>9</tid></thread><diskio-operation fmt=%q>%s</diskio-operation><string fmt="/dev/disk4s1">/dev/disk4s1</string>`+
			`<uint64>100</uint64><size-in-bytes>%s</size-in-bytes><file-path fmt=%q>%s</file-path></row>`, start, operation, operation,
			size, path, path)
	}
	log, c := trial.Import(t, &darwin.Instruments, table("disk-io-of-some-version", columns,
		row(1000, "Data Read", "4096", "/a"), row(2000, "Data Write", "8192", "/b"), row(3000, "Metadata Write", "512", ""),
		row(4000, "Page In", "16384", "/a"), row(5000, "Page Out", "16384", "/a"), row(6000, "Something", "1", "/a")))
	if len(log.Requests) != 5 || c.Damaged != 1 || len(log.Devices) != 1 || log.Devices[0].Name != "disk4s1" {
		t.Fatalf("%+v, %+v, %+v", log.Requests, log.Devices, c)
	}
	for i, want := range []struct {
		op    trace.ReqOp
		bytes int64
		path  string
		flags trace.ReqFlags
	}{{trace.ReqRead, 4096, "/a", 0}, {trace.ReqWrite, 8192, "/b", 0}, {trace.ReqWrite, 512, "", trace.ReqMeta},
		{trace.ReqRead, 16384, "/a", 0}, {trace.ReqWrite, 16384, "/a", 0}} {
		if q := log.Requests[i]; q.Op != want.op || q.Bytes != want.bytes || log.Path(q.File) != want.path || q.Flags != want.flags ||
			q.Sector != 800 || q.Latency() != 300 || q.Owner != 77 {
			t.Errorf("request %d: %+v, want %+v", i, q, want)
		}
	}
}

// What the first table does not have is among the limits.
func TestLimitsOfTables(t *testing.T) {
	calls, disk := table("fs-syscall", fileActivity), table("d", []string{"operation:diskio-operation"})
	for head, want := range map[string]trace.LimitCode{calls: trace.LimitNoRequests, disk: trace.LimitNoCalls} {
		if l := darwin.Instruments.Limits([]byte(head)); len(l) != 1 || l[0].Code != want {
			t.Errorf("%.100s: %+v, want %s", head, l, want)
		}
	}
}
