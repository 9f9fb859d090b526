//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// The daemon of the kernel's server of SMB, where it is installed, and what it is told.
const (
	shareDaemonPath = "/ksmbd.tools"
	shareConfig     = "/tmp/ksmbd.conf"
	shareUsers      = "/tmp/ksmbdpwd.db"
	shareMount      = "/smb" // where the client has the share
)

// The user's password is the name; the daemon's list has its hash (ksmbd.adduser).
var shareFiles = map[string]string{
	shareConfig:   "[global]\nsmb2 leases = yes\n[pair]\npath = " + workDir + "\nwriteable = yes\n",
	shareUsers:    "pair:OwPCMoXrUoozuy7+AyxVqA==\n",
	"/etc/passwd": "root:x:0:0::/:/\npair:x:0:0::/:/\n",
}

// shares reports whether the machines of this pair can speak SMB.
func canShare() bool {
	_, err := os.Stat(shareDaemonPath)
	return err == nil
}

// share has the kernel serve the disk over SMB too, and returns once it takes connections.
func share() error {
	for _, dir := range []string{"/etc/ksmbd", "/run"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for file, text := range shareFiles {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	loader, _ := filepath.Glob("/lib/ld-linux-*")
	if len(loader) == 0 {
		return errors.New("no loader of programs")
	}
	c := exec.Command(loader[0], "--library-path", "/lib", "--argv0", "ksmbd.mountd", shareDaemonPath, "-n", "-c",
		shareConfig, "-u", shareUsers)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		return err
	}
	for range 300 {
		wire, err := net.Dial("tcp", netip.AddrPortFrom(addresses["server"], 445).String())
		if err == nil {
			return wire.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the server of SMB takes no connection")
}

// mountShare mounts what the server serves over SMB.
func mountShare() error {
	if err := os.MkdirAll(shareMount, 0o755); err != nil {
		return err
	}
	server := addresses["server"].String()
	options := fmt.Sprintf(`unc=\\%s\pair,ip=%[1]s,user=pair,pass=pair,vers=3.1.1`, server)
	if err := unix.Mount("//"+server+"/pair", shareMount, "cifs", 0, options); err != nil {
		return fmt.Errorf("mounting over SMB: %w", err)
	}
	return nil
}

// clientOfShare does over SMB what the client does over NFS, and records that.
func clientOfShare() error {
	if err := mountShare(); err != nil {
		return err
	}
	_, err := iotrace("record", "-q", "-f", "-o", "/tmp/"+shareName+traceName, "--", self, "send", workDir+"/source",
		shareMount+"/shared", "/proc/fs/cifs/Stats", shareName)
	return err
}
