//go:build linux

package corpus

import (
	"fmt"
	"strings"
)

// workload is a program that is run in a directory of its own with two files: a, random bytes, and
// text, lines. What is true of it is known by construction, and checked by
// comparing the files.
type workload struct {
	name    string
	needs   string // programs
	prepare string // shell, before the recording
	script  string // shell
	copies  string // what is copied: "a>b from/*>to/*"; a>d where only a part of d is a, or only a part of a is in d
	neutral string // pairs that are neither asked for nor held against, as patterns: "a>a.orig /usr/share/*>*"
	fs      string // a file system of its own
	cold    bool   // nothing is in memory
}

// pairs names 16 sources and 16 destinations, which are not in the same order.
func pairs(sep, from, to string) string {
	var list []string
	for i := range 16 {
		list = append(list, fmt.Sprintf("%s%d%s%s%d", from, i, sep, to, (i*7+3)%16))
	}
	return strings.Join(list, " ")
}

var (
	several = pairs(" ", "f", "to/") // for command lines
	each    = pairs(">", "f", "to/") // what they copy
)

const (
	equal   = "mkdir to; for i in {0..15}; do head -c 1048576 /dev/urandom > f$i; done"
	unequal = "mkdir to; for i in {0..15}; do head -c $((700000+i*77777)) /dev/urandom > f$i; done"
	three   = "head -c 1500000 /dev/urandom > a; head -c 900000 /dev/urandom > b; head -c 2500000 /dev/urandom > c"
	tree    = "mkdir -p from/x from/y/z; for i in {0..8}; do d=(x y y/z); head -c $((200000+i*50000)) /dev/urandom > " +
		"from/${d[i%3]}/f$i; done"
	bulk   = "head -c 134217728 /dev/urandom > a"
	beside = "truncate -s 3M a; head -c 1000000 /dev/urandom >> a" // begins with a hole
	behind = "head -c 1000000 /dev/urandom > a; truncate -s 4M a"  // ends with one
	within = "head -c 1048576 /dev/urandom > a; truncate -s 3M a; head -c 1048576 /dev/urandom >> a"
)

// copying are programs that copy.
var copying = []workload{
	// Other makes of cp, cat, dd and install.
	{name: "uutils cp", needs: "/usr/bin/coreutils", script: "/usr/bin/coreutils cp a b", copies: "a>b"},
	{name: "uutils cat", needs: "/usr/bin/coreutils", script: "/usr/bin/coreutils cat a > b", copies: "a>b"},
	{name: "uutils dd", needs: "/usr/bin/coreutils", script: "/usr/bin/coreutils dd if=a of=b bs=64k", copies: "a>b"},
	{name: "uutils install", needs: "/usr/bin/coreutils", script: "/usr/bin/coreutils install a b", copies: "a>b"},
	{name: "toybox cp", needs: "toybox", script: "toybox cp a b", copies: "a>b"},
	{name: "toybox cat", needs: "toybox", script: "toybox cat a > b", copies: "a>b"},
	{name: "toybox tar", needs: "toybox", script: "mkdir to; toybox tar c a | toybox tar x -C to", copies: "a>to/a"},
	{name: "toybox tee", needs: "toybox", script: "toybox tee b < a > /dev/null", copies: "a>b"},
	{name: "busybox dd", needs: "busybox", script: "busybox dd if=a of=b bs=8k", copies: "a>b"},
	{name: "busybox cat", needs: "busybox", script: "busybox cat a > b", copies: "a>b"},
	{name: "busybox tar", needs: "busybox", script: "mkdir to; busybox tar c a | busybox tar x -C to", copies: "a>to/a"},
	{name: "cp -u", script: "cp -u a b; cp -u a b", copies: "a>b"},
	{name: "cp to three", script: "cp a b; cp a c; cp a d", copies: "a>b a>c a>d"},
	{name: "a copy of a copy", script: "cp --reflink=never a b; cp --reflink=never b c; cat c > d", copies: "a>b b>c c>d"},
	{name: "tee", script: "tee b c < a > d", copies: "a>b a>c a>d"},
	{name: "head", script: "head -c 1000000 a > b", copies: "a>b"},
	{name: "tail", script: "tail -c +1000001 a > b", copies: "a>b"},
	{name: "find -exec", prepare: tree, script: `mkdir to; find from -type f -exec cp --reflink=never {} to/ \;`,
		copies: "from/x/*>to/* from/y/f*>to/f* from/y/z/*>to/*"},
	{name: "xargs -P", prepare: equal, script: "printf '%s %s\\n' " + several + " | xargs -P 8 -n 2 cp --reflink=never",
		copies: each},
	{name: "xargs -P dd", prepare: unequal, script: "printf 'if=%s of=%s bs=64k\\n' " + several +
		" | xargs -P 8 -n 3 dd status=none", copies: each},
	{name: "parallel", needs: "parallel", prepare: equal, script: "parallel --will-cite -j 4 -N 2 cat {1} '>' {2} ::: " +
		several, copies: each},
	{name: "fpsync", needs: "fpsync rsync", prepare: tree,
		script: `mkdir to; fpsync -n 2 -f 3 -t "$PWD/tmp" "$PWD/from" "$PWD/to"`, copies: "from/*>to/*"},
	{name: "install -D", script: "install -D a x/y/b", copies: "a>x/y/b"},
	{name: "bash", script: `exec 3< a; cat <&3 > b`, copies: "a>b"},

	// Copiers of disks.
	{name: "ddrescue", needs: "ddrescue", script: "ddrescue -q a b b.map", copies: "a>b"},
	{name: "dcfldd", needs: "dcfldd", script: "dcfldd if=a of=b bs=64k status=off", copies: "a>b"},
	{name: "dc3dd", needs: "dc3dd", script: "dc3dd if=a of=b", copies: "a>b"},
	{name: "safecopy", needs: "safecopy", script: "safecopy a b", copies: "a>b"},
	{name: "partclone", needs: "partclone.dd", script: "partclone.dd -q -s a -O b -L log", copies: "a>b"},
	{name: "bmaptool", needs: "bmaptool", script: "bmaptool -q copy --nobmap a b", copies: "a>b"},
	{name: "qemu-img convert", needs: "qemu-img", prepare: "truncate -s 4M a",
		script: "qemu-img convert -f raw -O raw a b", copies: "a>b"},
	{name: "qemu-img holes", needs: "qemu-img", prepare: within, script: "qemu-img convert -f raw -O raw a b",
		copies: "a>b"},
	{name: "qemu-img dd", needs: "qemu-img", prepare: "truncate -s 4M a",
		script: "qemu-img dd -f raw -O raw bs=64k if=a of=b", copies: "a>b"},

	// Pipes, sockets and what buffers them.
	{name: "pv", needs: "pv", script: "pv -q a > b", copies: "a>b"},
	{name: "pv pipe", needs: "pv", script: "cat a | pv -q > b", copies: "a>b"},
	{name: "mbuffer", needs: "mbuffer", script: "mbuffer -q -i a -o b", copies: "a>b"},
	{name: "buffer", needs: "buffer", script: "buffer -i a -o b", copies: "a>b"},
	{name: "sponge", needs: "sponge", script: "sponge b < a", copies: "a>b"},
	{name: "socat", needs: "socat", script: "socat -u FILE:a CREATE:b", copies: "a>b"},
	{name: "socat socket", needs: "socat", script: "socat -u UNIX-LISTEN:s CREATE:b & until [ -S s ]; do :; done; socat " +
		"-u FILE:a UNIX-CONNECT:s; wait", copies: "a>b"},
	{name: "socat tcp", needs: "socat", script: "socat -u TCP-LISTEN:47113,bind=127.0.0.1 CREATE:b & socat -u FILE:a " +
		"TCP:127.0.0.1:47113,retry=50,interval=.1; wait", copies: "a>b"},
	{name: "nc", needs: "nc", script: "nc -l -s 127.0.0.1 -p 47114 > b & sleep .3; nc -N 127.0.0.1 47114 < a; wait",
		copies: "a>b"},
	{name: "sockets", needs: "python3", script: "python3 $T/copy.py sockets a b", copies: "a>b"},
	{name: "tcp", needs: "python3", script: "python3 $T/copy.py tcp a b", copies: "a>b"},
	{name: "named pipe", script: "mkfifo p; cat p > b & cat a > p; wait", copies: "a>b"},
	{name: "three pipes", script: "cat a | cat | cat | cat > b", copies: "a>b"},
	{name: "curl file", needs: "curl", script: `curl -s -o b "file://$PWD/a"`, copies: "a>b"},
	{name: "curl http", needs: "curl python3", script: web + "curl -s --retry-connrefused --retry 20 --retry-delay 1 -o " +
		"b http://127.0.0.1:$(cat port)/a; kill $!", copies: "a>b"},
	{name: "wget", needs: "wget python3", script: web + "wget -q -O b http://127.0.0.1:$(cat port)/a; kill $!",
		copies: "a>b"},
	{name: "aria2c", needs: "aria2c python3", script: web + "aria2c -q -o b http://127.0.0.1:$(cat port)/a; kill $!",
		copies: "a>b"},
	// One file in several pieces: ranges at once, one after the other, and after a connection that broke.
	{name: "aria2c parts", needs: "aria2c python3", prepare: "head -c 12000000 /dev/urandom > a", script: ranges("") +
		"aria2c -q -s4 -x4 -k1M -o b http://127.0.0.1:$(cat port)/a; kill $!", copies: "a>b"},
	{name: "wget again", needs: "wget python3", script: ranges("900000") +
		"wget -q -w 0 --waitretry=0 -O b http://127.0.0.1:$(cat port)/a; kill $!", copies: "a>b"},
	{name: "curl goes on", needs: "curl python3", script: ranges("900000") +
		"curl -s -o b http://127.0.0.1:$(cat port)/a || curl -s -C - -o b http://127.0.0.1:$(cat port)/a; kill $!",
		copies: "a>b"},
	{name: "curl ranges", needs: "curl python3", script: ranges("") +
		"for r in 0-999999 1000000-1999999 2000000-; do curl -s -r $r http://127.0.0.1:$(cat port)/a; done > b; kill $!",
		copies: "a>b"},
	{name: "sftp", needs: "sftp /usr/lib/openssh/sftp-server",
		script: "echo 'put a b' | sftp -q -b - -D /usr/lib/openssh/sftp-server", copies: "a>b"},
	{name: "sftp get", needs: "sftp /usr/lib/openssh/sftp-server",
		script: "echo 'get a b' | sftp -q -b - -D /usr/lib/openssh/sftp-server", copies: "a>b"},

	// Archivers that write to a pipe, and copy through.
	{name: "cpio -p", needs: "cpio", prepare: tree, script: "mkdir to; cd from; find . -type f | cpio -pd --quiet ../to",
		copies: "from/*>to/*"},
	{name: "cpio cpio", needs: "cpio", prepare: tree,
		script: "mkdir to; cd from; find . -type f | cpio -o --quiet | (cd ../to; cpio -id --quiet)", copies: "from/*>to/*"},
	{name: "pax", needs: "pax", prepare: tree, script: "mkdir to; cd from; pax -rw . ../to", copies: "from/*>to/*"},
	{name: "bsdtar", needs: "bsdtar", prepare: tree, script: "mkdir to; bsdtar cf - -C from . | bsdtar xf - -C to",
		copies: "from/*>to/*"},
	{name: "bsdcpio", needs: "bsdcpio", prepare: tree,
		script: "mkdir to; cd from; find . -type f | bsdcpio -pd --quiet ../to", copies: "from/*>to/*"},
	{name: "tar sparse", prepare: within, script: "mkdir to; tar cSf - a | tar xSf - -C to", copies: "a>to/a"},
	{name: "xfsdump", needs: "xfsdump xfsrestore", prepare: tree,
		script: `mkdir to; ls -lR from; d=$(findmnt -no TARGET -T .); xfsdump -J -F -s "${PWD#$d/}/from" - "$d" |
			xfsrestore -J -F - to; mv to/*/from to/`, copies: "from/*>to/from/*", fs: "xfs"},
	{name: "btrfs send", needs: "btrfs", prepare: "btrfs -q subvolume create sub; head -c 3000000 /dev/urandom > sub/f; " +
		"head -c 200000 /dev/urandom > sub/g; btrfs -q subvolume snapshot -r sub snap; mkdir to",
		script: "btrfs -q send snap | btrfs -q receive to", copies: "snap/*>to/snap/*", fs: "btrfs"},

	// Synchronizers and backups that keep files as they are.
	{name: "rsync", needs: "rsync", prepare: tree, script: "rsync -a from/ to/", copies: "from/*>to/*"},
	{name: "rsync cold", needs: "rsync", prepare: tree, script: "rsync -a from/ to/", copies: "from/*>to/*", cold: true},
	{name: "rsync -e", needs: "rsync", prepare: tree,
		script: `printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' > shell
			chmod +x shell; rsync -a -e ./shell from/ "there:$PWD/to/"`, copies: "from/*>to/*"},
	{name: "rsync --append", needs: "rsync", prepare: "head -c 1500000 a > b", script: "rsync --append a b",
		copies: "a>b:2694816"},
	{name: "rsync --inplace", needs: "rsync", prepare: "head -c 4194816 /dev/urandom > b",
		script: "rsync -WI --inplace a b", copies: "a>b"},
	{name: "rsync -S", needs: "rsync", prepare: within, script: "rsync -S a b", copies: "a>b"},
	{name: "rclone", needs: "rclone", prepare: tree, script: "rclone --config /dev/null copy from to",
		copies: "from/*>to/*"},
	{name: "rclone cold", needs: "rclone", prepare: equal + "; mkdir from; mv f? f?? from",
		script: "rclone --config /dev/null copy --transfers 8 from to", copies: "from/*>to/*", cold: true},
	{name: "rclone streams", needs: "rclone", prepare: "mkdir from; mv a from",
		script: "rclone --config /dev/null copy --multi-thread-cutoff 1M --multi-thread-streams 4 from to",
		copies: "from/a>to/a", cold: true},
	{name: "rdiff-backup", needs: "rdiff-backup", prepare: tree, script: "rdiff-backup backup from to",
		copies: "from/*>to/*"},
	{name: "unison", needs: "unison", prepare: tree + "; mkdir to",
		script: `HOME="$PWD/home" UNISON="$PWD/home" unison -batch -silent -ui text from to`, copies: "from/*>to/*"},
	{name: "logrotate", needs: "logrotate",
		prepare: `printf '"%s/a" {\nsize 1\nrotate 1\ncopytruncate\nsu root root\n}\n' "$PWD" > conf; chmod 600 conf`,
		script:  "logrotate -s state conf", copies: "a>a.1"},
	{name: "vim", needs: "vim.tiny", script: "vim.tiny -es -u NONE -c 'w! b' -c q text", copies: "text>b"},
	{name: "ed", needs: "ed", script: "printf 'w b\\nq\\n' | ed -s text", copies: "text>b"},
	{name: "git clone --local", needs: "git", prepare: repository, script: "git clone -q --local --no-hardlinks one two",
		copies: objects, neutral: templates + " one/.git/HEAD>two/.git/HEAD one/.git/hooks/*>two/.git/hooks/* *>two/a"},

	// Languages.
	{name: "perl File::Copy", needs: "perl", script: `perl -MFile::Copy -e 'copy("a", "b") or die'`, copies: "a>b"},
	{name: "perl sysread", needs: "perl",
		script: `perl -e 'open I, "<a"; open O, ">b"; syswrite O, $b while sysread I, $b, 50000'`, copies: "a>b"},
	{name: "ruby FileUtils", needs: "ruby", script: `ruby -rfileutils -e 'FileUtils.cp("a", "b")'`, copies: "a>b"},
	{name: "ruby copy_stream", needs: "ruby", script: `ruby -e 'IO.copy_stream("a", "b")'`, copies: "a>b"},
	{name: "ruby whole", needs: "ruby", script: `ruby -e 'IO.binwrite("b", IO.binread("a"))'`, copies: "a>b"},
	{name: "php copy", needs: "php", script: `php -r 'copy("a", "b");'`, copies: "a>b"},
	{name: "php streams", needs: "php", script: `php -r 'stream_copy_to_stream(fopen("a", "r"), fopen("b", "w"));'`,
		copies: "a>b"},
	{name: "lua", needs: "lua5.4",
		script: `lua5.4 -e 'i, o = io.open("a", "rb"), io.open("b", "wb"); o:write(i:read("a"))'`, copies: "a>b"},
	{name: "tcl file copy", needs: "tclsh", script: "echo 'file copy a b' | tclsh", copies: "a>b"},
	{name: "tcl fcopy", needs: "tclsh", script: "echo 'set i [open a rb]; set o [open b wb]; fcopy $i $o; close $o' | " +
		"tclsh", copies: "a>b"},
	{name: "guile", needs: "guile", script: `GUILE_AUTO_COMPILE=0 guile -c '(copy-file "a" "b")'`, copies: "a>b"},
	{name: "gawk", needs: "gawk", script: `LC_ALL=C gawk 'BEGIN{RS="^$"; ORS=""} {print}' a > b`, copies: "a>b"},
	{name: "node streams", needs: "node", prepare: equal, script: "node $T/streams.js pipe " + several, copies: each},
	{name: "node streams unequal", needs: "node", prepare: unequal, script: "node $T/streams.js pipe " + several,
		copies: each},
	{name: "node streams cold", needs: "node", prepare: equal, script: "node $T/streams.js pipe " + several,
		copies: each, cold: true},
	{name: "node streams unequal cold", needs: "node", prepare: unequal, script: "node $T/streams.js pipe " + several,
		copies: each, cold: true},
	{name: "node pipeline", needs: "node", prepare: unequal, script: "node $T/streams.js pipeline " + several,
		copies: each},
	{name: "node whole", needs: "node", prepare: equal, script: "node $T/streams.js whole " + several, copies: each},
	{name: "node copyFile", needs: "node", prepare: equal, script: "node $T/streams.js copyFile " + several, copies: each},
	{name: "threads copyfile", needs: "python3", prepare: equal, script: "python3 $T/many.py copyfile 8 " + several,
		copies: each, cold: true},
	{name: "threads loop", needs: "python3", prepare: equal, script: "python3 $T/many.py loop 8 " + several, copies: each},
	{name: "threads loop cold", needs: "python3", prepare: equal, script: "python3 $T/many.py loop 8 " + several,
		copies: each, cold: true},
	{name: "threads loop unequal cold", needs: "python3", prepare: unequal, script: "python3 $T/many.py loop 8 " + several,
		copies: each, cold: true},
	{name: "threads copyfileobj", needs: "python3", prepare: equal, script: "python3 $T/many.py copyfileobj 8 " + several,
		copies: each},
	{name: "threads copyfileobj cold", needs: "python3", prepare: unequal, script: "python3 $T/many.py copyfileobj 8 " +
		several, copies: each, cold: true},
	{name: "threads positions", needs: "python3", prepare: equal, script: "python3 $T/many.py positions 4 " + several,
		copies: each},
	{name: "threads sendfile", needs: "python3", prepare: equal, script: "python3 $T/many.py sendfile 4 " + several,
		copies: each},
	{name: "processes", needs: "python3", prepare: equal, script: "python3 $T/many.py processes 4 " + several,
		copies: each},
	{name: "threads, one source", needs: "python3", script: "python3 $T/many.py loop 2 a b a c a d",
		copies: "a>b a>c a>d"},

	// Ways of reading and writing.
	{name: "whole", needs: "python3", script: "python3 $T/copy.py whole a b", copies: "a>b"},
	{name: "backwards", needs: "python3", script: "python3 $T/copy.py backwards a b", copies: "a>b"},
	{name: "vectors", needs: "python3", script: "python3 $T/copy.py vectors a b", copies: "a>b"},
	{name: "read twice", needs: "python3", script: "python3 $T/copy.py twice a b", copies: "a>b"},
	{name: "verified", needs: "python3", script: "python3 $T/copy.py verified a b", copies: "a>b"},
	{name: "unnamed", needs: "python3", script: "python3 $T/copy.py unnamed a b", copies: "a>b"},
	{name: "copy_file_range", needs: "python3", script: "python3 $T/copy.py range a b", copies: "a>b"},
	{name: "read into a mapping", needs: "python3", script: "python3 $T/copy.py read_mmap a b", copies: "a>b"},
	{name: "stdio", needs: "cc", script: "$B/copy stdio a b", copies: "a>b"},
	{name: "threads of one file", needs: "cc", script: "$B/copy threads a b", copies: "a>b"},
	{name: "reader and writer", needs: "cc", script: "$B/copy turns a b", copies: "a>b"},
	{name: "direct", needs: "cc", script: "$B/copy direct a b", copies: "a>b"},
	{name: "mapped", needs: "cc", script: "$B/copy mapped a b", copies: "a>b", cold: true},
	{name: "spliced", needs: "cc", script: "$B/copy spliced a b", copies: "a>b"},

	// Parts: one file to several, several to one, pieces of one.
	{name: "split", script: "split -b 1M a", copies: "a>xaa a>xab a>xac a>xad a>xae"},
	{name: "split and join", script: "split -b 1M a; cat x?? > b", copies: "a>b"},
	{name: "split and join otherwise", script: "split -b 1M a; cat xab x?? > b",
		copies: "a>xaa a>xab a>xac a>xad a>xae xaa>b xab>b:2097152 xac>b xad>b xae>b"},
	{name: "dd in parts", script: "for i in {0..4}; do dd if=a of=p$i bs=1M skip=$i count=1; done; for i in {0..4}; do " +
		"cat p$i >> b; rm p$i; done", copies: "a>b"},
	{name: "curl in parts", needs: "curl python3", script: ranges("") + "for i in 0 1 2 3 4; do curl -s -r " +
		"$((i << 20))-$(((i + 1 << 20) - 1)) -o p$i http://127.0.0.1:$(cat port)/a; done; cat p? > b; kill $!",
		copies: "a>b"},
	{name: "an archive in volumes", needs: "7zz", script: "7zz a -mx0 -v1m v.7z a > /dev/null; 7zz x -oto v.7z.001 > " +
		"/dev/null", copies: "a>to/a"},
	{name: "cat three", prepare: three, script: "cat a b c > d", copies: "a>d b>d c>d"},
	{name: "append", prepare: "cp a b; head -c 900000 /dev/urandom > c", script: "cat c >> b", copies: "c>b"},
	{name: "two halves", script: "dd if=a of=b bs=64k count=33; dd if=a of=b bs=64k skip=33 seek=33 conv=notrunc",
		copies: "a>b"},
	{name: "four parts", script: "for i in {0..3}; do dd if=a of=b bs=64k count=17 skip=$((i*17)) seek=$((i*17)) " +
		"conv=notrunc & done; wait", copies: "a>b"},

	// Interrupted: so far.
	{name: "killed", prepare: bulk, script: "cp --reflink=never a b & while [ \"$(stat -c %s b 2> /dev/null || echo " +
		"0)\" -lt 8000000 ]; do :; done; kill -9 $!; wait $! || true", copies: "a>b"},
	{name: "no space", prepare: "head -c 60000000 /dev/urandom > a; fallocate -l $(($(df --output=avail -B1 . | tail " +
		"-1) - 20000000)) rest", script: "! cp --reflink=never a b", copies: "a>b", fs: "ext4"},

	// Names.
	{name: "renamed after", prepare: tree, script: "cp -r from part; mv part to", copies: "from/*>to/*"},
	{name: "renamed twice", script: "cp a b.tmp; mv b.tmp b.new; mv b.new b", copies: "a>b"},
	{name: "hard link", prepare: "ln a a2", script: "cp --reflink=never a2 b", copies: "a2>b"},
	{name: "hard links", prepare: "ln a a2", script: "cp a b; cp a2 c", copies: "a>b a2>c"},
	{name: "symbolic link", prepare: "ln -s a l", script: "cp l b", copies: "a>b"},
	{name: "odd names", prepare: `mv a $'new\nline'`, script: `cp $'new\nline' 'b c\'`, copies: "new\nline>b c\\"},

	// Holes and zeros.
	{name: "only a hole", prepare: "rm a; truncate -s 4M a", script: "cp a b", copies: "a>b"},
	{name: "only a hole, cat", prepare: "rm a; truncate -s 4M a", script: "cat a > b", copies: "a>b"},
	{name: "hole first", prepare: "rm a; " + beside, script: "cp --sparse=always a b", copies: "a>b"},
	{name: "hole first, rsync", needs: "rsync", prepare: "rm a; " + beside, script: "rsync -S a b", copies: "a>b"},
	{name: "hole last", prepare: behind, script: "cp a b", copies: "a>b"},
	{name: "hole last, tar", prepare: behind, script: "mkdir to; tar cSf - a | tar xSf - -C to", copies: "a>to/a"},
	{name: "zeros first", prepare: "head -c 3000000 /dev/zero > b; cat a >> b; mv b a", script: "cp --sparse=always a b",
		copies: "a>b"},
	{name: "zeros last", prepare: "head -c 3000000 /dev/zero >> a", script: "dd if=a of=b bs=64k conv=sparse",
		copies: "a>b"},
	{name: "reflink", prepare: tree, script: "cp -r --reflink=always from to", copies: "from/*>to/*", fs: "xfs"},
	{name: "reflink btrfs", script: "cp --reflink=always a b; cp --reflink=never a c", copies: "a>b a>c", fs: "btrfs"},
}

// ranges serves the directory with ranges, of each file the first time only so many bytes. Isolated, as Python takes
// copy.py beside it for a module of its own otherwise.
func ranges(first string) string {
	return "python3 -I $T/ranges.py . port " + first + " & until [ -s port ]; do sleep .02; done; "
}

// web serves the directory on a port of its own choice.
const web = `python3 -c '
import functools, http.server, pathlib
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
pathlib.Path("port.new").write_text(str(s.server_port)); pathlib.Path("port.new").rename("port")
s.serve_forever()' > /dev/null 2>&1 & until [ -s port ]; do sleep .02; done; `

const (
	repository = "git init -q one && cp a one/ && git -C one add a && git -C one -c user.name=a -c user.email=a@b " +
		"commit -qm a"
	objects   = "one/.git/objects/*>two/.git/objects/*"
	templates = "/usr/share/git-core/*>*"
)
