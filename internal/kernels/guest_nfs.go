//go:build linux

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	daemon = "/proc/fs/nfsd/"
	caches = "/proc/net/rpc/"
	mount  = "/mnt" // where the client has the server's directory
)

// setting is a text that a file of the kernel's is to be told.
type setting struct{ file, text string }

// A daemon (mountd) tells the kernel what is exported, when it asks; here it is told before it does. That never expires
// (2147483647). 9218: clients without privilege may use it, subtrees are not checked, and it is the root (fsid 0).
var exports = []setting{
	{caches + "auth.unix.ip/channel", "nfsd %s 2147483647 pair\n"},
	{caches + "nfsd.export/channel", "pair " + workDir + " 2147483647 9218 65534 65534 0\n"},
	{caches + "nfsd.fh/channel", `pair 1 \x00000000 2147483647 ` + workDir + "\n"},
}

// serve has the kernel serve the disk to the client, over NFS 4: what is older needs further daemons.
func serve() error {
	if err := unix.Mount("nfsd", daemon, "nfsd", 0, ""); err != nil {
		return fmt.Errorf("mounting nfsd: %w", err)
	}
	all := []setting{{daemon + "versions", "-3 +4\n"}}
	for _, s := range exports {
		if s.file == caches+"auth.unix.ip/channel" {
			s.text = fmt.Sprintf(s.text, addresses["client"])
		}
		all = append(all, s)
	}
	// Clients could reclaim what they had before for so long (s), and nobody can open a file: 10 is the least.
	all = append(all, setting{daemon + "nfsv4leasetime", "10\n"}, setting{daemon + "nfsv4gracetime", "10\n"},
		setting{daemon + "portlist", "tcp 2049\n"}, setting{daemon + "threads", "4\n"})
	for _, s := range all {
		f, err := os.OpenFile(s.file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString(s.text)
		f.Close()
		if err != nil {
			return fmt.Errorf("telling %s %q: %w", s.file, s.text, err)
		}
	}
	return nil
}

// mountServer mounts what the server serves.
func mountServer() error {
	if err := os.MkdirAll(mount, 0o755); err != nil {
		return err
	}
	options := fmt.Sprintf("vers=4.2,proto=tcp,sec=sys,hard,addr=%v,clientaddr=%v", addresses["server"],
		addresses["client"])
	if err := unix.Mount(addresses["server"].String()+":/", mount, "nfs", 0, options); err != nil {
		return fmt.Errorf("mounting over NFS: %w", err)
	}
	return nil
}
