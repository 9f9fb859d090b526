//go:build linux

package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// layered are programs that write and read in many ways; each runs in a directory of its own.
var layered = []struct{ name, needs, prepare, script string }{
	{"small files", "", "", "for i in $(seq 60); do dd if=/dev/zero of=f$i bs=4k count=2 conv=fsync status=none; done"},
	{"git", "git", "", "git init -q . && cp -r /etc/default d && git add . && " +
		"git -c user.name=a -c user.email=a@b commit -qm x"},
	{"sqlite", "sqlite3", "", "sqlite3 a.db 'create table t(a, b)' && for i in $(seq 20); do " +
		"sqlite3 a.db \"insert into t values($i, hex(randomblob(500)))\"; done"},
	{"sqlite wal", "sqlite3", "", "sqlite3 a.db 'pragma journal_mode=wal; create table t(a); " +
		"insert into t select hex(randomblob(900)) from generate_series(1, 500)' >&2"},
	{"tar", "tar", "", "tar cf - /etc/default | tar xf - && sync -f ."},
	{"trees", "", "mkdir a && for i in $(seq 100); do echo $i > a/$i; done",
		"cp -r a b && mv b c && rm -r a && sync -f ."},
	{"append", "python3", "", "python3 -c \"import os\nf=os.open('log',os.O_CREAT|os.O_WRONLY|os.O_APPEND)\n" +
		"for i in range(80): os.write(f,b'x'*100); os.fdatasync(f)\""},
	{"mapped", "python3", "", "truncate -s 4M m && python3 -c \"import mmap,os\nf=os.open('m',os.O_RDWR)\n" +
		"m=mmap.mmap(f,0)\nfor i in range(0,4<<20,8192): m[i]=1\nm.flush()\""},
	{"direct", "", "", "dd if=/dev/zero of=d bs=64k count=64 oflag=direct status=none"},
	{"sparse", "", "", "dd if=/dev/zero of=s bs=1M count=1 seek=40 conv=fsync status=none && cat s > /dev/null"},
	{"parts", "", "dd if=/dev/zero of=p bs=1M count=8 conv=fsync status=none",
		"for i in 1 9 200 401; do dd if=/dev/zero of=p bs=512 count=1 seek=$i conv=notrunc,fsync status=none; done"},
	{"names", "", "", "for i in $(seq 300); do mkdir d$i; ln -s d$i l$i; done; sync -f ."},
	{"deleted", "", "", "for i in $(seq 20); do dd if=/dev/zero of=t bs=64k count=4 status=none; rm t; done"},
	{"overwritten", "", "",
		"for i in $(seq 20); do dd if=/dev/zero of=t bs=64k count=4 conv=notrunc status=none; done; sync t"},
	{"one page", "", "dd if=/dev/urandom of=o bs=1M count=16 conv=fsync status=none",
		"dd if=o of=/dev/null bs=4k count=4 status=none"},
	{"read twice", "", "dd if=/dev/urandom of=r bs=1M count=8 conv=fsync status=none",
		"cat r > /dev/null && dd if=r iflag=nocache count=0 status=none && cat r > /dev/null"},
	{"fallocate", "fallocate", "",
		"fallocate -l 8M f && dd if=/dev/zero of=f bs=4k count=1 seek=512 conv=notrunc,fsync status=none"},
	{"attributes", "", "for i in $(seq 50); do echo > $i; done", "chmod 600 * && touch * && sync -f ."},
	{"rename", "", "", "for i in $(seq 40); do echo $i > new && sync new && mv new old && sync .; done"},
	{"sync", "", "", "for i in $(seq 10); do echo $i > $i; sync; done"},
}

// TestAmounts records programs on devices that nobody else uses: of each device, the reasons for what was read and
// written add up to what the kernel counted there, to the sector, and nothing of it was done by others: what a file
// system writes of its own for a program is that program's.
func TestAmounts(t *testing.T) {
	needPrivilege(t)
	for _, fs := range []string{"ext4", "xfs", "btrfs"} {
		t.Run(fs, func(t *testing.T) {
			top := mount(t, fs, 512<<20)
			device := filepath.Base(run(t, "findmnt", "-no", "SOURCE", top))
			for _, p := range layered {
				t.Run(p.name, func(t *testing.T) {
					needPrograms(t, strings.Fields(p.needs)...)
					amounts(t, top, strings.ReplaceAll(p.name, " ", "_"), device, p.prepare, p.script)
				})
			}
		})
	}
}

// amounts records a program in a new directory of a device of its own.
func amounts(t *testing.T, top, name, device, prepare, script string) {
	t.Helper()
	dir := filepath.Join(top, name)
	p := prepared(t, func() []string {
		run(t, "rm", "-rf", dir)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		run(t, "bash", "-c", "cd "+dir+"\n"+prepare)
		run(t, "sync", "-f", dir)
		run(t, "fsfreeze", "--freeze", top) // and what the file system would write of its own a while later
		run(t, "fsfreeze", "--unfreeze", top)
		dropCaches(t)
		return []string{"bash", "-c", "cd " + dir + " && " + script}
	})
	if p.Lost.Total > 0 {
		t.Skip("requests were lost each time")
	}
	for _, d := range p.Trace.Drives {
		if d.Name != device {
			continue
		}
		a := amountOf(t, p, device)
		if a.Read.Device != d.ReadBytes || a.Write.Device != d.WrittenBytes {
			t.Errorf("%d bytes were read and %d written, the kernel counted %d and %d", a.Read.Device, a.Write.Device,
				d.ReadBytes, d.WrittenBytes)
		}
		for _, m := range []profile.Moved{a.Read, a.Write} {
			if others := m.Of(profile.ByOther); others > 0 {
				t.Errorf("%d bytes were done for others: %+v", others, m.Reasons)
			}
		}
		t.Logf("read %+v, written %+v", a.Read, a.Write)
		return
	}
	t.Logf("nothing of %s among %+v", device, p.Trace.Drives)
}

// amountOf is what a device did.
func amountOf(t testing.TB, p *profile.Profile, name string) profile.Amount {
	t.Helper()
	for _, a := range p.Amounts.Devices {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("no %s among %+v", name, p.Amounts.Devices)
	return profile.Amount{}
}
