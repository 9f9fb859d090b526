//go:build linux

package main

import (
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
)

// whatifWorkload is something to record on each device, in a directory that prepare
// has filled, with cold caches unless it says warm.
type whatifWorkload struct {
	name    string
	prepare string // for the shell, in the working directory
	command string // likewise
	warm    bool
}

// workloads are those of the table in docs/verification.md. On the slowest of the
// devices each takes some seconds.
var workloads = []whatifWorkload{
	{name: "cp-cold", prepare: "head -c 192M /dev/urandom >a",
		command: "cp a b"},
	{name: "cp-warm", prepare: "head -c 512M /dev/urandom >a",
		command: "cp a b", warm: true},
	{name: "dd-direct", prepare: "head -c 200M /dev/urandom >a",
		command: "dd if=a of=/dev/null bs=256k iflag=direct status=none"},
	{name: "dd-fsync", prepare: "true",
		command: "dd if=/dev/zero of=b bs=1M count=256 conv=fsync status=none"},
	{name: "fio-qd1-random", prepare: fioFile,
		command: fioRead + " --rw=randread --bs=4k --iodepth=1 --number_ios=600"},
	{name: "fio-qd8-random", prepare: fioFile,
		command: fioRead + " --rw=randread --bs=4k --iodepth=8 --number_ios=4000"},
	{name: "fio-qd32-random", prepare: fioFile,
		command: fioRead + " --rw=randread --bs=16k --iodepth=32 --number_ios=8000"},
	{name: "fio-qd8-sequential", prepare: fioFile,
		command: fioRead + " --rw=read --bs=128k --iodepth=8 --number_ios=2000"},
	{name: "tree", prepare: "mkdir t && for i in $(seq 300); do head -c 24k /dev/urandom >t/$i; done",
		command: "cp -r t u"},
	{name: "tar", prepare: "mkdir t && for i in $(seq 300); do head -c 40k /dev/urandom >t/$i; done",
		command: "tar -cf b.tar t"},
	{name: "sqlite", prepare: "true",
		command: "sqlite3 db 'create table t(a,b)' " + whatifInserts},
	{name: "scrub", prepare: fioFile,
		command: "fio --name=s --filename=a --size=256M " +
			"--readonly --direct=1 --ioengine=sync --rw=randread --bs=512k --thinktime=2000 --number_ios=150 " +
			"--output=/dev/null"},
	{name: "rsync", prepare: "mkdir t && for i in $(seq 40); do head -c 700k /dev/urandom >t/$i; done",
		command: "rsync -a t/ u/"},
	{name: "threads", prepare: fioFile,
		command: "fio --name=s --filename=a --size=256M " +
			"--readonly --direct=1 --ioengine=psync --thread --numjobs=8 --rw=randread --bs=8k --number_ios=400 " +
			"--output=/dev/null"},
	{name: "launch", prepare: "cp -rL /usr/lib/python3.*[0-9] lib && cp -L $(readlink -f /usr/bin/python3) python",
		command: "env PYTHONHOME=/usr PYTHONPATH=$PWD/lib ./python -c 'import json, ssl, sqlite3, xml.dom.minidom, " +
			"http.server, unittest, decimal'"},
	{name: "grep", prepare: "mkdir t && for i in $(seq 60); do head -c 1M /dev/urandom | base64 >t/$i; done",
		command: "grep -rc A t"},
}

const (
	fioFile = "head -c 256M /dev/urandom >a"
	fioRead = "fio --name=s --filename=a --size=256M --readonly --direct=1 --ioengine=libaio --randseed=7 " +
		"--output=/dev/null"
	whatifInserts = `"insert into t values(1,'one')" "insert into t values(2,'two')" "insert into t values(3,'three')" ` +
		`"insert into t values(4,'four')" ` +
		`"insert into t values(5,'five')" "insert into t values(6,'six')" "insert into t values(7,'seven')" ` +
		`"insert into t values(8,'eight')" ` +
		`"update t set b='x'" "update t set b='y' where a=3" "delete from t where a=4" "vacuum"`
)

// place is a device to record on.
type place struct {
	name       string
	latency    time.Duration
	link       int64 // bytes a second
	fileSystem string
}

// model is how slow it is.
func (p *place) model() *testenv.Model {
	return &testenv.Model{Read: p.latency, Write: p.latency, Link: p.link, FileSystem: p.fileSystem}
}

// whatifPlaces differ in how long a request takes, in how many bytes a second they
// carry, and in their file system.
var whatifPlaces = []place{
	{"4ms", 4000 * time.Microsecond, 0e6, ""},
	{"1ms", 1000 * time.Microsecond, 0e6, ""},
	{"2ms-60MBs", 2000 * time.Microsecond, 60e6, ""},
	{"2ms", 2000 * time.Microsecond, 0e6, ""},
	{"4ms-xfs", 4000 * time.Microsecond, 0e6, "xfs"},
	{"1ms-xfs", 1000 * time.Microsecond, 0e6, "xfs"},
	{"8ms", 8000 * time.Microsecond, 0e6, ""},
	{"2ms-120MBs", 2000 * time.Microsecond, 120e6, ""},
	{"500us", 500 * time.Microsecond, 0e6, ""},
}
