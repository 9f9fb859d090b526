//go:build linux

package corpus

const small = "mkdir p; for i in {1..40}; do head -c $((100+i*37)) /dev/urandom > p/s$i; done; for i in {41..44}; do " +
	"head -c 832 /dev/urandom > p/s$i; done; " +
	"head -c $(stat -c %s /etc/passwd) /dev/urandom > p/passwd; "

// otherwise are programs that read files and write something else, or what they
// copy is said.
var otherwise = []workload{
	// Unpacking and packing. What lies unchanged in an archive may be called a part of it.
	{name: "tar x", prepare: small + "tar cf p.tar p; rm -r p", script: "tar xf p.tar", neutral: "p.tar>p/*"},
	{name: "tar xz", needs: "gzip", prepare: small + "tar czf p.tgz p; rm -r p", script: "tar xzf p.tgz"},
	{name: "unzip", needs: "zip unzip", prepare: small + "zip -qr p.zip p; rm -r p", script: "unzip -q p.zip",
		neutral: "p.zip>p/*"},
	{name: "bsdtar x", needs: "bsdtar", prepare: small + "tar cJf p.txz p; rm -r p", script: "bsdtar xf p.txz"},
	{name: "7zz x", needs: "7zz", prepare: small + "7zz a p.7z p > /dev/null; rm -r p", script: "7zz x p.7z"},
	{name: "unsquashfs", needs: "mksquashfs unsquashfs", prepare: small +
		"mksquashfs p p.sqfs -quiet > /dev/null 2>&1; rm -r p", script: "unsquashfs -q -n p.sqfs",
		neutral: "p.sqfs>squashfs-root/*"},
	{name: "tar", script: "tar cf b a", neutral: "a>b"},
	{name: "tar gzip", needs: "gzip", script: "tar cz a > b"},
	{name: "zip -0", needs: "zip", script: "zip -q0 b.zip a", neutral: "a>b.zip"},
	{name: "7zz a", needs: "7zz", script: "7zz a b.7z a"},
	{name: "cpio -o", needs: "cpio", script: "echo a | cpio -o --quiet > b", neutral: "a>b"},
	{name: "dar", needs: "dar", script: "dar -q -c b -g a", neutral: "a>b.1.dar"},
	{name: "mcopy", needs: "mformat mcopy", prepare: "truncate -s 8M b; mformat -i b -T 16384 -h 16 -s 32 ::",
		script: "mcopy -i b text ::text", neutral: "text>b"},
	{name: "borg", needs: "borg", script: "export BORG_BASE_DIR=$PWD BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes; " +
		"borg init -e none r && borg create r::1 a", neutral: "a>r/data/* .cache/*>.cache/*"},
	{name: "restic", needs: "restic", script: "export RESTIC_PASSWORD=x RESTIC_CACHE_DIR=$PWD/cache; restic -q -r r " +
		"init && restic -q -r r backup a", neutral: "/tmp/restic-*>*"},

	// Compression and encryption.
	{name: "gzip", needs: "gzip", script: "gzip -k a"},
	{name: "gunzip", needs: "gzip", prepare: "gzip a", script: "gunzip -k a.gz"},
	{name: "cat gzip", needs: "gzip", script: "cat a | gzip > b"},
	{name: "zstd", needs: "zstd", script: "zstd -q a -o b"},
	{name: "zstd -d", needs: "zstd", prepare: "zstd -q a -o b; rm a", script: "zstd -qd b -o a"},
	{name: "lz4", needs: "lz4", script: "lz4 -q a b"},
	{name: "xz", needs: "xz", script: "xz -0k a"},
	{name: "openssl", needs: "openssl", script: "openssl enc -aes-256-ctr -pass pass:x -nosalt -pbkdf2 -in a -out b"},
	{name: "openssl cat", needs: "openssl",
		script: "openssl enc -aes-256-ctr -pass pass:x -nosalt -pbkdf2 -in a | cat > b"},
	{name: "openssl dd", needs: "openssl", script: "openssl enc -chacha20 -pass pass:x -nosalt -pbkdf2 < a | dd of=b " +
		"bs=64k"},
	{name: "gpg -c", needs: "gpg", script: "gpg --homedir . --batch --passphrase x --pinentry-mode loopback -o b -c a"},
	{name: "age", needs: "age age-keygen", prepare: "age-keygen -o key 2> /dev/null", script: "age -e -i key -o b a"},

	// Filters that keep the size.
	{name: "sort -o", script: "sort -o b text"},
	{name: "sort tee", script: "sort text | tee b > /dev/null"},
	{name: "tac cat", script: "tac text | cat > b"},
	{name: "shuf dd", script: "shuf text | dd of=b bs=64k"},
	{name: "tr", script: "tr a-z b-za < text > b"},
	{name: "rev", script: "rev text > b"},
	{name: "dd swab", script: "dd if=a of=b bs=64k conv=swab"},
	{name: "dd ucase", script: "dd if=text of=b bs=64k conv=ucase"},
	{name: "iconv", needs: "iconv", prepare: "tr a '\\344' < text > latin", script: "iconv -f latin1 -t cp437 latin > b"},
	{name: "sed", script: "sed s/a/b/g text > b"},
	{name: "sed -i", script: "sed -i s/a/b/g text"},
	{name: "awk", needs: "awk", script: "awk '{print toupper($0)}' text > b"},
	{name: "perl -pe", needs: "perl", script: "perl -pe 'y/a-m/n-z/' text > b"},
	{name: "python xor", needs: "python3",
		script: `python3 -c 'open("b", "wb").write(bytes(x ^ 1 for x in open("a", "rb").read()))'`},
	{name: "reversed blocks", needs: "python3", script: `python3 -c '
i, o = open("a", "rb", 0), open("b", "wb", 0)
while x := i.read(65536): o.write(x[::-1])'`},

	// Filters that do not.
	{name: "grep", script: "grep a text > b"},
	{name: "base64", script: "base64 a > b"},
	{name: "xxd", needs: "xxd", script: "xxd a > b"},
	{name: "cut paste", script: "cut -c1 text | paste - text > b"},
	{name: "jq", needs: "jq", prepare: "jq -Rn '[inputs]' < text > j", script: "jq -c . j > b"},
	{name: "uniq", script: "sort text | uniq -c > b"},
	{name: "checksums", script: "md5sum a text > b; sha1sum a >> b"},
	{name: "strings", needs: "strings", script: "strings a > b"},

	// Editors, compilers, tools for programs.
	{name: "vim change", needs: "vim.tiny", script: "vim.tiny -es -u NONE -c '%s/a/b/g' -c wq text",
		neutral: "text>text~"},
	{name: "patch", needs: "patch", prepare: "sed 1000s/a/q/ text > new; diff -u text new > p || true",
		script: "patch -s text p", neutral: "text>*"},
	{name: "cc", needs: "cc", prepare: cSource, script: "cc -O0 -o main main.c"},
	{name: "make ar", needs: "cc ar make", prepare: cSource +
		"; printf 'lib.a: main.o\\n\\tar rc lib.a main.o\\n' > Makefile", script: "make -s",
		neutral: "main.o>lib.a st*>lib.a"},
	{name: "strip", needs: "cc strip", prepare: cSource + "; cc -g -o main main.c", script: "strip -o b main"},
	{name: "objcopy", needs: "cc objcopy", prepare: cSource + "; cc -g -c main.c",
		script: "objcopy --add-section .x=text main.o b.o", neutral: "text>b.o"},
	{name: "patchelf", needs: "cc patchelf", prepare: cSource + "; cc -o main main.c",
		script: "patchelf --set-rpath /nowhere main"},
	{name: "git commit", needs: "git", prepare: repository,
		script: "cp a one/b && git -C one add b && git -C one -c user.name=a -c user.email=a@b commit -qm b",
		copies: "a>one/b", neutral: templates + " one/a>one/b"},
	{name: "git gc", needs: "git", prepare: repository, script: "git -C one gc -q", neutral: "one/.git/*>one/.git/*"},
	{name: "git checkout", needs: "git", prepare: repository + "; rm one/a", script: "git -C one checkout -q a",
		neutral: "a>one/a"},
	{name: "git bundle", needs: "git", prepare: repository, script: "git -C one bundle create -q ../b master"},
	{name: "javac", needs: "javac", prepare: "cp $T/Copy.java .", script: "javac Copy.java"},

	// Databases and media.
	{name: "sqlite", needs: "sqlite3",
		script: `sqlite3 b "create table t(x); insert into t select hex(randomblob(500)) from generate_series(1,2000)"`},
	{name: "sqlite vacuum", needs: "sqlite3", prepare: database, script: "sqlite3 db vacuum",
		neutral: "*>db *>db-journal"},
	{name: "sqlite dump", needs: "sqlite3", prepare: database, script: "sqlite3 db .dump > b"},
	{name: "sqlite journal", needs: "sqlite3", prepare: database,
		script: "sqlite3 db 'update t set x=hex(randomblob(500))'", neutral: "db>db-journal"},
	{name: "remux", needs: "ffmpeg", prepare: "ffmpeg -v error -f lavfi -i testsrc=d=8:s=320x240 -c:v mpeg4 -b:v 2M a.mp4",
		script: "ffmpeg -v error -i a.mp4 -c copy b.mkv"},
	{name: "transcode", needs: "ffmpeg", prepare: "ffmpeg -v error -f lavfi -i sine=d=20 a.wav",
		script: "ffmpeg -v error -i a.wav -af volume=0.5 b.wav"},

	// Reading and writing at the same time, without any relation.
	{name: "reads and writes apart", script: "md5sum a & head -c 4194816 /dev/urandom > b; wait"},
	{name: "read, then write", script: "cat a > /dev/null; head -c 4194816 /dev/urandom > b"},
	{name: "read by one, written by another", needs: "python3", script: `python3 -c '
import os
i, o = open("a", "rb", 0), open("b", "wb", 0)
while i.read(65536): o.write(os.urandom(65536))
o.truncate(4194816)'`},
	{name: "preallocated", script: "cat a > /dev/null; fallocate -l 4194816 b"},
	{name: "compared", prepare: "cp a b", script: "cmp a b > c"},
	{name: "rsync delta", needs: "rsync",
		prepare: "cp a b; printf x | dd of=b bs=1 seek=1000000 conv=notrunc status=none; touch -d yesterday b",
		script:  "rsync --no-whole-file a b", neutral: "a>b b>b"},
	{name: "rsync nothing", needs: "rsync", prepare: tree + "; cp -a from to", script: "rsync -ac from/ to/"},
	{name: "links", script: "ln -s a l; cp -s $PWD/a m"},
	{name: "new directory renamed", script: "mkdir d; echo > d/f; mv d e"},
	{name: "directory renamed", prepare: tree, script: "mv from to", neutral: "from>to from/*>to/*"},
	{name: "logs", script: "for i in {1..300}; do head -c 100 a | md5sum >> log; done"},
	{name: "fio", needs: "fio", script: "fio --name=x --filename=b --size=4194304 --rw=randrw --bs=64k --output=out"},
}

const (
	cSource  = `printf '#include <stdio.h>\nint main(void) { return puts("x"); }\n' > main.c`
	database = `sqlite3 db "create table t(x); insert into t select hex(randomblob(500)) from generate_series(1,2000)"`
)
