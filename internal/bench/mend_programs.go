//go:build linux

package main

import (
	"time"

	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/internal/testenv"
)

// program is something to record, in a directory that prepare has filled with files that are not in memory.
type program struct {
	name    string
	prepare string // for the shell, in the working directory
	command string // likewise
	mends   []mend // beside half the latency
}

// mend is a change that is really made.
type mend struct {
	code      string // of the standard set, or a name
	change    whatif.Change
	command   string // "" for the same
	quick     bool   // the drive has half its latency
	readAhead int    // KiB; 0 for the kernel's own
	warm      bool   // what was read is in memory
}

// mendDrive is what programs run on; while a file exists it has half its latency.
func mendDrive(quick string) *testenv.Model {
	const latency, size = 8 * time.Millisecond, 768 << 20
	return &testenv.Model{Read: latency, Write: latency, Link: 60e6, Size: size, Quick: quick}
}

// half is made for every program.
var half = mend{code: whatif.HalfLatency, quick: true}

// all is a program as it is, and its mends.
func (p *program) all() []mend { return append([]mend{{code: "plain"}, half}, p.mends...) }

func unsynced(command string) mend { return mend{code: whatif.NoSyncs, command: command} }
func deeper(command string) mend   { return mend{code: whatif.MoreDepth, command: command} }

// Mends that need no other command.
var (
	ahead = mend{code: whatif.MoreReadAhead, readAhead: 4096}
	warm  = mend{code: whatif.AllWarm, warm: true}
)

func mendBlocks(size int64, command string) mend {
	m := mend{code: "block", command: command}
	m.change.Block = size
	return m
}

const (
	file    = "head -c 24M /dev/urandom >a"
	small   = "mkdir t && for i in $(seq 60); do head -c 20k /dev/urandom >t/$i; done"
	mendFio = "fio --name=s --filename=a --randseed=7 --output=/dev/null "
)

// synced is a program in Python that writes 40 files, or 40 times.
func synced(how string) string { return "/usr/bin/python3 -c '" + how + "'" }

// programs are those of the table in docs/verification.md.
var programs = []program{
	{"cat", file, "cat a >/dev/null", []mend{ahead, warm}},
	{"dd-buffered", file, "dd if=a of=/dev/null bs=64k status=none", []mend{ahead, warm}},
	{"sha256sum", file, "sha256sum a", []mend{ahead, warm}},
	{"gzip", file, "gzip -1 <a >/dev/null", []mend{ahead}},
	{"cp", file, "cp a b", []mend{ahead}},
	{"grep", small, "grep -rc A t", []mend{ahead, warm}},
	{"tar", small, "tar -cf b.tar t", []mend{ahead}},
	{"rsync", small, "rsync -a --fsync t/ u/", []mend{unsynced("rsync -a t/ u/")}},
	{"fio-random", file, mendFio + "--readonly --size=24M --direct=1 --ioengine=libaio --rw=randread --bs=4k " +
		"--number_ios=200 --iodepth=1",
		[]mend{deeper(mendFio + "--readonly --size=24M --direct=1 --ioengine=libaio --rw=randread --bs=4k --number_ios=200 " +
			"--iodepth=8")}},
	{"fio-uring", file, mendFio + "--readonly --size=24M --direct=1 --ioengine=io_uring --rw=randread --bs=16k " +
		"--number_ios=200 --iodepth=1",
		[]mend{deeper(mendFio + "--readonly --size=24M --direct=1 --ioengine=io_uring --rw=randread --bs=16k " +
			"--number_ios=200 --iodepth=8")}},
	{"fio-cached", file, mendFio + "--readonly --size=24M --ioengine=psync --rw=randread --bs=4k --number_ios=200 " +
		"--invalidate=0", []mend{ahead}},
	{"fio-sequential", file, mendFio + "--readonly --size=6M --direct=1 --ioengine=libaio --rw=read --bs=32k --iodepth=1",
		[]mend{deeper(mendFio + "--readonly --size=6M --direct=1 --ioengine=libaio --rw=read --bs=32k --iodepth=8")}},
	{"fio-pauses", file, mendFio + "--readonly --size=24M --direct=1 --ioengine=psync --rw=randread --bs=8k " +
		"--number_ios=100 --thinktime=5000",
		[]mend{{code: whatif.NoPauses, command: mendFio + "--readonly --size=24M --direct=1 --ioengine=psync " +
			"--rw=randread --bs=8k --number_ios=100"}}},
	{"fio-threads", file, mendFio + "--readonly --size=24M --direct=1 --ioengine=psync --thread --numjobs=4 " +
		"--rw=randread --bs=8k --number_ios=60", nil},
	{"dd-read", file, "dd if=a of=/dev/null bs=32k count=160 iflag=direct status=none",
		[]mend{mendBlocks(256<<10, "dd if=a of=/dev/null bs=256k count=20 iflag=direct status=none")}},
	{"dd-write", "true", "dd if=/dev/zero of=b bs=64k count=120 oflag=direct status=none",
		[]mend{mendBlocks(512<<10, "dd if=/dev/zero of=b bs=512k count=15 oflag=direct status=none")}},
	{"dd-sync", "true", "dd if=/dev/zero of=b bs=16k count=40 oflag=sync status=none",
		[]mend{unsynced("dd if=/dev/zero of=b bs=16k count=40 status=none")}},
	{"dd-dsync", "head -c 4M /dev/zero >b", "dd if=/dev/zero of=b bs=16k count=60 oflag=dsync conv=notrunc status=none",
		[]mend{unsynced("dd if=/dev/zero of=b bs=16k count=60 conv=notrunc status=none")}},
	{"dd-fsync", "true", "dd if=/dev/zero of=b bs=1M count=24 conv=fsync status=none",
		[]mend{unsynced("dd if=/dev/zero of=b bs=1M count=24 status=none")}},
	{"fio-fsync", "head -c 4M /dev/zero >a", mendFio + "--size=4M --ioengine=psync --rw=randwrite --bs=4k " +
		"--number_ios=40 --fsync=1",
		[]mend{unsynced(mendFio + "--size=4M --ioengine=psync --rw=randwrite --bs=4k --number_ios=40 ")}},
	{"fio-ring-fsync", "head -c 4M /dev/zero >a", mendFio + "--size=4M --ioengine=io_uring --rw=randwrite --bs=4k " +
		"--number_ios=60 --fsync=2",
		[]mend{unsynced(mendFio + "--size=4M --ioengine=io_uring --rw=randwrite --bs=4k --number_ios=60")}},
	{"rwf-dsync", "head -c 4M /dev/zero >a", synced(rwf + "os.RWF_DSYNC)"), []mend{unsynced(synced(rwf + "0)"))}},
	{"files", "true", synced(files + " os.fsync(f); os.close(f)"), []mend{unsynced(synced(files + " os.close(f)"))}},
	{"sqlite", "true", "sqlite3 db 'create table t(a,b)' " + inserts,
		[]mend{unsynced("sqlite3 db 'pragma synchronous=off' 'create table t(a,b)' " + inserts)}},
	{"git", small + "; git init -q .", "git -c core.fsync=all -c core.fsyncMethod=fsync add t",
		[]mend{unsynced("git -c core.fsync=none add t")}},
	{"sync-fs", file, "sh -c 'cp a b; sync -f b'", []mend{unsynced("cp a b")}},
	{"mapping", file, "/usr/bin/python3 -c '" + touches + "'", []mend{ahead}},
	{"launch", "cp -rL $(/usr/bin/python3 -c 'import os; print(os.path.dirname(os.__file__))')/json lib && cp -rL " +
		"$(/usr/bin/python3 -c 'import os; print(os.path.dirname(os.__file__))')/email lib/",
		"/usr/bin/python3 -B -c 'import os; [open(os.path.join(d, f)).read() for d, _, n in os.walk(\"lib\") for f in n if " +
			"f.endswith(\"py\")]'", []mend{ahead, warm}},
}

const (
	rwf = "import os\nf = os.open(\"a\", os.O_RDWR)\nfor i in range(40): os.pwritev(f, [bytes(4096)], " +
		"i*7919%1000*4096, "
	files = "import os\nfor i in range(25):\n f = os.open(str(i), os.O_CREAT | os.O_WRONLY); " +
		"os.write(f, bytes(20000));"
	touches = "import mmap, os\nf = os.open(\"a\", os.O_RDONLY)\nm = mmap.mmap(f, 0, prot=mmap.PROT_READ)\n" +
		"m.madvise(mmap.MADV_RANDOM)\nfor i in range(150): m[i*7919%6144*4096]"
	inserts = `"insert into t values(1,'one')" "insert into t values(2,'two')" "insert into t values(3,'three')" ` +
		`"insert into t values(4,'four')" "insert into t values(5,'five')" "update t set b='x'"`
)
