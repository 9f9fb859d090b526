package formats

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"strconv"
	"strings"
)

const gigabyte = 1 << 30

// shape is a kind of hostile input: lines that the tool wrote, and in one of them or behind them so much of something.
type shape struct {
	name       string
	filling    string // stands in the middle of a line, again and again
	size       int64
	endless    bool   // no line comes behind it
	names      int    // in place of that, lines of names so long, each another
	compressed string // in place of that, a file of which more comes than anybody has memory for
	damages    bool
}

// shortNames is the length of names that lines without any, but with numbers, are tried with as well.
const shortNames = 100

var shapes = []shape{
	{name: "whole"},
	{name: "endless line", filling: "a", size: 8 * gigabyte, endless: true},
	{name: "long line", filling: "a", size: gigabyte, damages: true},
	{name: "digits", filling: "1", size: gigabyte, damages: true},
	{name: "quotes", filling: `\"`, size: gigabyte, damages: true},
	{name: "words", filling: "a ", size: gigabyte, damages: true},
	{name: "fields", filling: "a,", size: gigabyte, damages: true},
	{name: "members", filling: `"a":{},`, size: gigabyte, damages: true},
	{name: "attributes", filling: `a="b" `, size: gigabyte, damages: true},
	{name: "parentheses", filling: "(", size: 10_000_000, damages: true},
	{name: "brackets", filling: "[", size: 10_000_000, damages: true},
	{name: "braces", filling: `{"a":`, size: 50_000_000, damages: true},
	{name: "elements", filling: "<a>", size: 30_000_000, damages: true},
	{name: "a million fields", filling: "a,", size: 2_000_000, damages: true},
	{name: "a million words", filling: "1 ", size: 2_000_000, damages: true},
	{name: "fields within a line", filling: "a,", size: 800_000},
	{name: "words within a line", filling: "1 ", size: 800_000},
	{name: "short names", names: shortNames, size: 80_000_000},
	{name: "names", names: 4000, size: 300_000_000},
	{name: "long names", names: 600_000, size: 500_000_000},
	{name: "gzip", compressed: "gzip", endless: true},
	{name: "zstd", compressed: "zstd", endless: true},
	{name: "zstd with the widest window", compressed: "wide", endless: true},
	{name: "bzip2", compressed: "bzip2", endless: true},
	{name: "zip", compressed: "zip", endless: true},
}

// named are lines of each tool that hold a number (NUM) and a name (NAME), which are others in each.
var named = map[string]string{
	"strace": `NUM 1700000000.000100 openat(AT_FDCWD, "/d/NAME", O_RDONLY) = 3</d/NAME> <0.000010>
NUM 1700000000.000200 read(3</d/NAME>,  <unfinished ...>
NUM 1700000000.000200 callNAME(3) = 0
NUM 1700000000.000200 chdir("/NAME") = 0 <0.1>`,
	"blkparse": "  8,0    1        NUM     0.000001100   NUM  D   W NUM + 16 [NAME]\n" +
		"  8,0    0        NUM     0.000002000     NUM  C   W NUM + 16 [NAME]",
	"biosnoop":    "0.000000    NAME NUM     NAME RA   4000       4096      0.250   0.500",
	"darshan-dxt": "# DXT, file_id: NUM, file_name: /NAME\n X_POSIX       NUM  write        0               0       262144      0.0029      0.0032",
	"lttng": "[17:02:57.265276947] (+0.000007466) NAME syscall_entry_openat: { cpu_id = 2 }, { pid = NUM, tid = NUM, procname = \"NAME\" }, " +
		"{ dfd = -100, filename = \"/NAME\", flags = ( \"O_RDWR\" : container = 2 ), mode = 0 }\n" +
		"[17:02:57.265284413] (+0.000007466) host syscall_exit_openat: { cpu_id = 2 }, { pid = NUM, tid = NUM }, { ret = 3 }",
	"fsslower":       "06:35:01 NAME           NUM  R 1249    0          16.05 NAME",
	"iosnoop":        "NAME         NUM  W    254,0    381703568    4096       0.12",
	"iosnoop-dtrace": "  501   NUM R   180224   4096         NAME /NAME/ls",
	"dtruss": ` NUM/0xNUM:       391      14     13 open("/NAME\0", 0x0, 0x0)		 = 4 0` + "\n" +
		` NUM/0xNUM:       391      14     13 NAME("/NAME\0", 0x0, 0x0)		 = 4 0` + "\n" +
		` NUM/0xNUM:       391      14     13 chdir("/NAME\0", 0x0, 0x0)		 = 0 0`,
	"procmon": `"11:59:59.9000100 PM","NAME","NUM","ReadFile","C:\NAME","SUCCESS","Offset: 0, Length: 65,536"
"11:59:59.9000100 PM","NAME","NUM","NAME","C:\NAME","NAME","NAME"
"11:59:59.9000100 PM","NAME","1","Process Create","C:\NAME","SUCCESS","PID: NUM, Command line: NAME"`,
	"fio-iolog":     "NUM /NAME open\nNUM /NAME read 61440 4096",
	"msr-cambridge": "128166372003061629,NAME,NUM,Read,383496192,32768,413",
	"fio-log":       "2, 355678, 0, 4096, NUM, 0x0000",
	"alibaba-block": "NUM,W,NUM,16384,1577808144360767",
	"tencent-cbs":   "1538323200,NUM,8,1,NUM",
	"systor17":      "1456095145.133076000,0.000806000,R,NUM,NUM,131072",
	"spc":           "NUM,NUM,8192,W,0.551706",
	"fiu":           "89966000 NUM NAME NUM 8 W 6 NUM 531e779b8d7f0b5a0f4c7e1f3a5d9b11",
	"cloudphysics":  "5633898611441,NUM,w,4096",
	"perf": "  NAME NUM [000] 36752.001060:  raw_syscalls:sys_enter: NR 1 (4, 7ffc2ab15c28, 1000, 0, 0, 0)\n" +
		"  NAME NUM [000] 36752.001060:  syscalls:sys_enter_openat: dfd: 0xffffff9c, filename: NAME, flags: 0x0, mode: 0x0",
	"ftrace": "  NAME-NUM     (    NUM) [001] ..... 37029.600651: sys_write(fd: 4, buf: 0x7ffcadb03ba8, count: 0x340)\n" +
		"  NAME-NUM     (    NUM) [001] ..... 37029.600651: sys_openat(dfd: ffffff9c, filename: 0x7f \"/NAME\", flags: 0, mode: 0)",
	"perf-trace": "     1.000 ( 0.016 ms): NAME/NUM write(fd: 5</NAME>, buf: 0x55aa206b95a0, count: 8192)     = 100\n" +
		"     1.000 (         ): NAME/NUM write(fd: 5</NAME>, buf: 0x55aa206b95a0, count: 8192) ...",
	"fs_usage": "10:00:00.000200  open              F=3        (R_____________)  /NAME    0.000050   cpNUM.NUM\n" +
		"10:00:00.000200  chdir             /NAME    0.000050   cpNUM.NUM\n" +
		"10:00:00.000700    RdData[A]       D=0x00001000  B=0x100000 /dev/NAME  /NAME    0.000300 W cpNUM.NUM",
	"ktrace": "2026-11-21 00:00:01.000000 PST 0.0(0.0) 40c000d 3 2 2 4 NUM 0 NAME(NUM)",
	"xctrace": `<row><start-time id="aNUM" fmt="NAME">1000000</start-time><duration id="bNUM" fmt="NAME">12000</duration>` +
		`<process id="cNUM" fmt="NAME (NUM)"><pid id="dNUM" fmt="NUM">NUM</pid></process><thread id="eNUM" fmt="NAME"><tid id="fNUM" ` +
		`fmt="0x1f2a">NUM</tid><process ref="cNUM"/></thread><syscall id="gNUM" fmt="BSC_open">BSC_open</syscall></row>`,
	"jsonl": `{"kind":"file","file":NUM,"path":"/NAME","fstype":"NAME"}
{"kind":"process","time":1,"action":"exec","pid":NUM,"tid":NUM,"command":"NAME","exe":"NAME","args":["NAME"]}
{"kind":"NAME"}
{"kind":"syscall","start":5,"duration":7,"op":"NAME","call":"NAME","file":1,"result":3}`,
}

// sample is a whole input of a tool, and of blktrace some that is none.
func sample(from string) string {
	switch from {
	case "xctrace":
		text, err := os.ReadFile("../darwin/testdata/system-trace.xml")
		if err != nil {
			panic(err)
		}
		whole, _, _ := strings.Cut(string(text), "</node>")
		return strings.TrimRight(whole, "\n")
	case "blktrace":
		return blktraceRecord(1, 7) + blktraceRecord(2, 8)
	case "jsonl":
		return `{"kind":"trace","schema":1,"header":{"backend":"ebpf","os":"linux","calls":["read"]}}
{"kind":"file","file":1,"path":"/a"}
{"kind":"syscall","start":5,"duration":7,"op":"read","call":"read","file":1,"result":3}`
	}
	return strings.TrimRight(samples[from], "\n")
}

// last is the last line of a sample, which stands for an event if the lines before it do.
func last(from string) string {
	text := sample(from)
	if from == "blktrace" {
		return text
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// half is its beginning up to where a shape fills it: in XML within an attribute, a tag or a row, in JSON in the place of
// a value.
func half(from, shape string) string {
	line := last(from)
	within := map[string]string{"xctrace": ` fmt="`, "jsonl": `"duration":`}[from]
	switch {
	case from == "xctrace" && shape == "elements":
		within = "<row>"
	case from == "xctrace" && shape == "attributes":
		within = "<start-time "
	case within == "":
		return line[:len(line)/2]
	}
	return line[:strings.Index(line, within)+len(within)]
}

// hostile is an input of a tool and a shape.
func hostile(from, name string) io.Reader {
	var s shape
	for _, one := range shapes {
		if one.name == name {
			s = one
		}
	}
	parts := []part{{sample(from) + "\n", 1}}
	switch {
	case s.filling != "":
		parts = append(parts, part{half(from, name), 1}, part{s.filling, s.size / int64(len(s.filling))})
		if !s.endless {
			parts = append(parts, part{last(from)[len(half(from, name)):] + "\n" + again(from) + "\n", 1})
		}
	case s.names > 0:
		more := io.Reader(&lines{text: named[from], name: s.names, left: s.size})
		if from == "blktrace" {
			more = &blktraceRecords{left: s.size}
		}
		return io.MultiReader(&stream{parts: parts}, more)
	}
	return &stream{parts: parts}
}

// part is a text that stands so many times.
type part struct {
	text  string
	times int64
}

// stream reads parts one behind the other, at no cost.
type stream struct {
	parts []part
	block []byte // of the first part, several times
	at    int64  // in it
}

func (s *stream) Read(b []byte) (int, error) {
	for len(s.parts) > 0 {
		p := &s.parts[0]
		if left := p.times*int64(len(p.text)) - s.at; left > 0 {
			if s.block == nil {
				s.block = bytes.Repeat([]byte(p.text), int(min(p.times, int64(1+(128<<10)/len(p.text)))))
			}
			from := s.block[s.at%int64(len(p.text)):]
			n := copy(b, from[:min(int64(len(from)), left)])
			s.at += int64(n)
			return n, nil
		}
		s.parts, s.block, s.at = s.parts[1:], nil, 0
	}
	return 0, io.EOF
}

// lines reads lines that each have another number and another name.
type lines struct {
	text  string
	name  int   // its length
	left  int64 // bytes
	n     int
	parts []string // of the text, between its numbers and names
	line  []byte   // room for the next one
	rest  []byte   // of it
}

func (l *lines) Read(b []byte) (int, error) {
	if len(l.rest) == 0 {
		if l.left <= 0 || l.text == "" {
			return 0, io.EOF
		}
		l.next()
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *lines) next() {
	if l.parts == nil {
		l.parts = strings.Split(strings.NewReplacer("NUM", "\x00", "NAME", "\x00n").Replace(l.text), "\x00")
	}
	l.n++
	line := l.line[:0]
	for i, part := range l.parts {
		rest, isName := strings.CutPrefix(part, "n")
		if i > 0 {
			line = strconv.AppendInt(line, int64(l.n), 10)
		}
		if i > 0 && isName {
			for range l.name / 20 / strings.Count(l.text, "NAME") {
				line = append(line, "nnnnnnnnnnnnnnnnnnnn"...)
			}
			part = rest
		}
		line = append(line, part...)
	}
	l.line = append(line, '\n')
	l.rest = l.line
	l.left -= int64(len(l.line))
}

// again is what tells of the events of a sample in the middle of an input.
func again(from string) string {
	switch from {
	case "xctrace", "jsonl":
		return last(from)
	case "blktrace":
		return blktraceRecord(3, 7) + blktraceRecord(4, 8)
	}
	return sample(from)
}

// blktraceRecord is a record of blktrace's files: a write of 8 KiB is issued (7), or complete (8).
func blktraceRecord(number uint32, action uint32) string {
	r := binary.LittleEndian.AppendUint32(nil, 0x65617407)
	r = binary.LittleEndian.AppendUint32(r, number)
	r = binary.LittleEndian.AppendUint64(r, uint64(number)*1000)
	r = binary.LittleEndian.AppendUint64(r, 1000)
	for _, n := range []uint32{8192, action | 1<<17, 300, 8 << 20, 0, 0} {
		r = binary.LittleEndian.AppendUint32(r, n)
	}
	return string(r)
}

// blktraceRecords reads records that are each of another device, place and process.
type blktraceRecords struct {
	left int64
	n    uint32
	rest []byte
}

func (r *blktraceRecords) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.left <= 0 {
			return 0, io.EOF
		}
		r.n++
		action := 7 + r.n%2 // one in two completes
		r.rest = []byte(blktraceRecord(r.n+4, action))
		for _, at := range []int{16, 28, 36} { // the sector, the process and the device
			binary.LittleEndian.PutUint32(r.rest[at:], r.n/2)
		}
		r.left -= int64(len(r.rest))
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
