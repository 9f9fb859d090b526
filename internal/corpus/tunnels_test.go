//go:build linux

package corpus

import (
	"strings"
	"testing"
)

// login makes what ssh needs to reach this machine without a network: keys, a server that ssh starts itself, and a
// program ./ssh that knows of them.
const login = `; mkdir keys; for i in host user; do ssh-keygen -q -t ed25519 -N '' -f keys/$i; done; mkdir -p /run/sshd
printf '%s\n' "HostKey $PWD/keys/host" "AuthorizedKeysFile $PWD/keys/user.pub" 'StrictModes no' 'UsePAM no' \
	'Subsystem sftp /usr/lib/openssh/sftp-server' >keys/server
printf '%s\n' '#!/bin/sh' "exec ssh -o LogLevel=ERROR -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
	-o 'ProxyCommand=/usr/sbin/sshd -i -f $PWD/keys/server' -i $PWD/keys/user \"\$@\"" >ssh
chmod +x ssh`

const (
	secure  = "ssh ssh-keygen /usr/sbin/sshd"
	payload = "head -c 1700000 /dev/urandom > a"
	cipher  = "openssl enc -aes-128-ctr -pass pass:x -pbkdf2"
)

// tunneled copy through two programs of which one wraps what it gets and the other unwraps it.
var tunneled = []workload{
	{name: "scp", needs: "scp " + secure, prepare: payload + login, script: `scp -q -S ./ssh a "there:$PWD/b"`,
		copies: "a>b"},
	{name: "scp back", needs: "scp " + secure, prepare: payload + login, script: `scp -q -S ./ssh "there:$PWD/a" b`,
		copies: "a>b"},
	{name: "scp -O", needs: "scp " + secure, prepare: tree + login, script: `scp -q -O -r -S ./ssh from "there:$PWD/to"`,
		copies: "from/*>to/*"},
	{name: "sftp get", needs: "sftp " + secure, prepare: tree + login,
		script: `mkdir to; echo "get -r $PWD/from/. $PWD/to" | sftp -q -b - -S ./ssh there`, copies: "from/*>to/*"},
	{name: "rsync ssh", needs: "rsync " + secure, prepare: tree + login,
		script: `rsync -a -e ./ssh from/ "there:$PWD/to/"`, copies: "from/*>to/*"},
	{name: "rsync -z ssh", needs: "rsync " + secure, prepare: tree + "; cp text from" + login,
		script: `rsync -az -e ./ssh "there:$PWD/from/" to/`, copies: "from/*>to/*"},
	{name: "tar ssh", needs: secure, prepare: tree + login,
		script: `mkdir to; tar c -C from . | ./ssh there "tar x -C $PWD/to"`, copies: "from/*>to/*"},
	{name: "tar z ssh", needs: "gzip " + secure, prepare: tree + login,
		script: `mkdir to; ./ssh there "tar cz -C $PWD/from ." | tar xz -C to`, copies: "from/*>to/*"},
	{name: "cat ssh", needs: secure, prepare: payload + login, script: `cat a | ./ssh there "cat > $PWD/b"`,
		copies: "a>b"},
	{name: "ssh -C", needs: secure, prepare: payload + login, script: `./ssh -C there "cat > $PWD/b" < text`,
		copies: "text>b"},
	{name: "ssh into a file", needs: secure, prepare: payload + login, script: `./ssh there "cat $PWD/a" > b`,
		copies: "a>b"},
	{name: "tar gzip gunzip", needs: "gzip", prepare: tree,
		script: "mkdir to; tar c -C from . | gzip -1 | gunzip | tar x -C to", copies: "from/*>to/*"},
	{name: "tar openssl", needs: "openssl", prepare: tree,
		script: "mkdir to; tar c -C from . | " + cipher + " | " + cipher + " -d | tar x -C to", copies: "from/*>to/*"},
	{name: "cpio lz4 mbuffer", needs: "cpio lz4 mbuffer", prepare: tree,
		script: "mkdir to; cd from; find . -type f | cpio -o --quiet | lz4 -q | mbuffer -q | lz4 -dq | " +
			"(cd ../to; cpio -id --quiet)", copies: "from/*>to/*"},

	{name: "ssh tr", needs: secure, prepare: payload + login, script: `cat text | ./ssh there "tr a-y b-z > $PWD/b"`},
	{name: "ssh sum", needs: secure, prepare: payload + login, script: `cat a | ./ssh there "sha256sum > $PWD/b"`},
	{name: "ssh tar t", needs: secure, prepare: tree + login, script: `tar c from | ./ssh there "tar t > $PWD/b"`},
	{name: "ssh encrypted", needs: "openssl " + secure, prepare: payload + login,
		script: cipher + ` -nosalt < a | ./ssh there "cat > $PWD/b"`},
	{name: "ssh other bytes", needs: secure, prepare: payload + login,
		script: `cat a | ./ssh there "cat > /dev/null; head -c 1700000 /dev/urandom > $PWD/b"`},
	{name: "ssh sorted", needs: secure, prepare: payload + "; mkdir to" + login,
		script: `cat text | ./ssh there "sort -R > $PWD/to/text"`},
	{name: "rsync ssh changes", needs: "rsync " + secure,
		prepare: tree + "; cp -r from to; for f in $(find to -type f); do printf x | dd of=$f bs=1 seek=9000 conv=notrunc " +
			"status=none; touch -d yesterday $f; done" + login,
		script: `rsync -a --no-W -e ./ssh from/ "there:$PWD/to/"`},
}

// TestTunneled records programs that copy through ssh, or pack and unpack on the way, and programs that do not copy.
func TestTunneled(t *testing.T) {
	needPrivilege(t)
	var list []*workload
	for i := range tunneled {
		if present(tunneled[i].needs) {
			list = append(list, &tunneled[i])
		}
	}
	if len(list) == 0 {
		t.Skip("none of ", strings.Fields(secure), " is here")
	}
	all := recordPrograms(t, list, "", false)
	t.Logf("%d programs: %d copies right, %d invented, %d missed, %d of other sources", len(list), all.right, all.invented,
		all.missed, all.swapped)
	if all.precision() < leastPrecision || all.recall() < leastRecall || all.swapped > 0 {
		t.Errorf("precision %.2f %%, recall %.2f %%", 100*all.precision(), 100*all.recall())
	}
}
