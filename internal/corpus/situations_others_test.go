//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/internal/bench/slow"
)

// Situations for which no rule was made or changed: how far the rules reach.
var unseen = []situation{
	{"a consumer with a limit", "pv takes 1 MB/s", func(t testing.TB, n int) []string {
		needPrograms(t, "pv")
		return in("/", fmt.Sprintf("dd if=/dev/zero bs=64k count=%d | pv -q -L 1m > /dev/null", 24*n))
	}, is(verdict.OtherEnd, verdict.ThinkTime), false},
	{"sendfile", "40 MB/s", func(t testing.TB, n int) []string {
		return in(rated(t, 40_000_000, 48*n), python(`f = os.open("file", os.O_RDONLY); g = os.open("/dev/null", os.O_WRONLY)
while os.sendfile(g, f, None, %d): pass`, 1<<20))
	}, is(verdict.DeviceBandwidth, verdict.DeviceLatency), false},
	{"small reads in order, declared random", "each read takes 5 ms; posix_fadvise", func(t testing.TB, n int) []string {
		dir := device(t, &slow.Model{Read: 5 * time.Millisecond}, 8)
		return in(dir, python(`f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM)
for i in range(%d): os.read(f, 4096)`, 250*n))
	}, is(verdict.Readahead, verdict.DeviceLatency), false},
	{"asynchronous reads", "one request at a time, 4 ms; libaio, 16 in flight", func(t testing.TB, n int) []string {
		dir := device(t, &slow.Model{Read: 4 * time.Millisecond, Alone: true}, 32)
		return in(dir, fmt.Sprint("fio --name=x --filename=file --rw=randread --bs=4k --direct=1 --ioengine=libaio "+
			"--iodepth=16 --size=32m --number_ios=", 300*n))
	}, is(verdict.DeviceBandwidth), false},
	{"msync after each page", "each write takes 10 ms", func(t testing.TB, n int) []string {
		dir := device(t, &slow.Model{Write: 10 * time.Millisecond}, 4)
		return in(dir, python(`f = open("file", "r+b"); m = mmap.mmap(f.fileno(), 0); s = m[:]
for i in range(%d): m[i * 4096] = 1; m.flush(i * 4096, 4096)`, 40*n))
	}, is(verdict.Sync), false},
	{"removing many files", "each read takes 2 ms", func(t testing.TB, n int) []string {
		dir := device(t, &slow.Model{Read: 2 * time.Millisecond}, 1)
		run(t, "python3", "-c", fmt.Sprintf(`import os
for d in range(%d):
    os.mkdir("%s/d%%d" %% d)
    for i in range(20): open("%[2]s/d%%d/%%d" %% (d, i), "w").write("x")`, 100*n, dir))
		remount(t, dir)
		return in(dir, "rm -r d*")
	}, is(verdict.Names, verdict.DeviceLatency), false},
	{"a slow server", "HTTP on this machine; 0.1 s for each answer", func(t testing.TB, n int) []string {
		needPrograms(t, "curl")
		dir := workDir(t)
		background(t, dir, `python3 -c 'import http.server, time
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self): time.sleep(0.1); self.send_response(200); self.end_headers(); self.wfile.write(b"x" * 10000)
http.server.HTTPServer(("127.0.0.1", 18765), H).serve_forever()'`)
		time.Sleep(time.Second)
		return in(dir, fmt.Sprintf("for i in $(seq %d); do curl -s -o answer http://127.0.0.1:18765/; done", 10*n))
	}, is(verdict.OtherEnd), false},
	{"stopped", "another process sends SIGSTOP, and SIGCONT later", func(t testing.TB, n int) []string {
		dir := workDir(t)
		background(t, dir, fmt.Sprintf("while ! [ -s pid ]; do sleep .02; done; kill -STOP $(cat pid); sleep %d; kill "+
			"-CONT $(cat pid)", 2*n))
		return in(dir, "echo $$ > pid; i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done")
	}, is(verdict.ThinkTime), false},
	{"a directory shown in another place", "bindfs over a device that takes 10 ms", func(t testing.TB, n int) []string {
		needPrograms(t, "bindfs")
		dir := device(t, &slow.Model{Read: 10 * time.Millisecond}, 16*n)
		at := workDir(t)
		run(t, "bindfs", dir, at)
		t.Cleanup(func() { run(t, "umount", at) })
		return []string{"cat", filepath.Join(at, "file")}
	}, is(verdict.UserSpaceFS), false},
	{"rsync with a limit", "--bwlimit=4m", func(t testing.TB, n int) []string {
		return []string{"rsync", "--bwlimit=4m", warmFile(t, 8*n<<20), workDir(t)}
	}, is(verdict.ThinkTime, verdict.OtherEnd), false},
}
