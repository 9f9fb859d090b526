//go:build linux

package main

import "strings"

// kernel is one to be tried.
type kernel struct {
	name    string   // as it is asked for
	arch    string   // as Go and Debian call it
	cpu     string   // that is emulated
	suite   string   // that has its packages, see suites
	image   string   // regular expression of the package's name; the newest is taken
	further []string // what else holds parts of it: the suffix of the image's name follows
	users   string   // where people meet it
}

// The packages of Ubuntu's kernels are two, of recent ones of Debian three.
var (
	modular = []string{"linux-modules"}
	split   = []string{"linux-binary", "linux-modules"}
)

// What QEMU 7.2 makes of cmpxchg16b leaves rubbish in the flags, which crashes
// Linux 6.12 in one boot of two. From 6.18 on the kernel cannot do without it:
// there is no memory then for the storage at tasks.
const (
	withoutCX16 = "Nehalem,-cx16"
	withCX16    = "Nehalem"
	cortex      = "cortex-a72"
)

// The newest of all has no version of its own in its pattern.
const newest = `linux-image-[0-9.]+\+deb[0-9]+-cloud-`

var catalogue = []kernel{
	{"5.10", "amd64", withoutCX16, "bullseye", `linux-image-5\.10\..*-cloud-amd64`, nil, "Debian 11, Amazon Linux 2"},
	{"5.15", "amd64", withoutCX16, "jammy", `linux-image-5\.15\..*-kvm`, modular, "Ubuntu 22.04; RHEL 9 has 5.14"},
	{"5.17", "amd64", withoutCX16, "jammy", `linux-image-5\.17\..*-oem`, modular, "Ubuntu 22.04 on new laptops"},
	{"5.19", "amd64", withoutCX16, "jammy", `linux-image-5\.19\..*-generic`, modular, "Ubuntu 22.04 with newer hardware"},
	{"6.1", "amd64", withoutCX16, "bookworm", `linux-image-6\.1\.0-[0-9]+-cloud-amd64`, nil,
		"Debian 12, Amazon Linux 2023"},
	{"6.8", "amd64", withoutCX16, "jammy", `linux-image-6\.8\..*-generic`, modular, "Ubuntu 24.04"},
	{"6.12", "amd64", withoutCX16, "trixie", `linux-image-6\.12\..*deb13-cloud-amd64`, nil, "Debian 13, RHEL 10"},
	{"7.2", "amd64", withCX16, "trixie-backports", `linux-image-7\.2\..*deb13-cloud-amd64`, split, "Debian testing"},
	{"newest", "amd64", withCX16, "trixie-backports", newest + "amd64", split, "Debian sid and backports"},
	{"5.10-arm64", "arm64", cortex, "bullseye", `linux-image-5\.10\..*-cloud-arm64`, nil, "Debian 11, Amazon Linux 2"},
	{"6.1-arm64", "arm64", cortex, "bookworm", `linux-image-6\.1\.0-[0-9]+-cloud-arm64`, nil,
		"Debian 12, Amazon Linux 2023"},
	{"6.12-arm64", "arm64", cortex, "trixie", `linux-image-6\.12\..*deb13-cloud-arm64`, nil, "Debian 13, RHEL 10"},
	{"newest-arm64", "arm64", cortex, "trixie-backports", newest + "arm64", split, "Debian sid and backports"},
}

// modules are what the checks need where it is not built in. File names on vfat take two tables of characters.
var modules = []string{"virtio_pci", "virtio_blk", "ext4", "loop", "fuse", "vfat", "nls_cp437", "nls_ascii",
	"nls_iso8859-1", "nls_utf8", "exfat"}

// triesFats reports whether a machine tries file systems without a journal: those with the newest kernels do.
func (k *kernel) triesFats() bool { return strings.HasPrefix(k.image, newest) }

func names() []string {
	var list []string
	for _, k := range catalogue {
		list = append(list, k.name)
	}
	return list
}

func find(name string) *kernel {
	for i := range catalogue {
		if catalogue[i].name == name {
			return &catalogue[i]
		}
	}
	return nil
}
