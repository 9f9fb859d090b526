package storage

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/rights"
)

// ReadThermal asks the drive under a place: the SMART log of an NVMe drive
// (needs root), else the temperature in sysfs (any user). nil if there is
// neither, as on virtual disks.
func ReadThermal(p Volume) *baseline.Thermal {
	if p.Device == "" {
		return nil
	}
	disk := filepath.Join("/sys/class/block", p.Device)
	if _, err := os.Stat(filepath.Join(disk, "partition")); err == nil {
		if real, err := filepath.EvalSymlinks(disk); err == nil {
			disk = filepath.Dir(real)
		}
	}
	if name := filepath.Base(disk); strings.HasPrefix(name, "nvme") {
		var page []byte
		err := rights.Root(func() error { page = smartLog("/dev/" + name); return nil })
		if err == nil && page != nil {
			return parseSMART(page)
		}
	}
	return hwmon(disk)
}

// hwmon reads the temperature that the drive's driver offers: nvme does by
// itself, SATA drives with the module drivetemp.
func hwmon(disk string) *baseline.Thermal {
	for _, pattern := range []string{"device/hwmon*/temp1_input", "device/hwmon/hwmon*/temp1_input",
		"device/device/hwmon/hwmon*/temp1_input"} {
		files, _ := filepath.Glob(filepath.Join(disk, pattern))
		for _, file := range files {
			if n, err := strconv.ParseInt(readLine(file), 10, 64); err == nil {
				return &baseline.Thermal{Source: "hwmon", MilliCelsius: &n}
			}
		}
	}
	return nil
}

// passthru is struct nvme_passthru_cmd of include/uapi/linux/nvme_ioctl.h.
type passthru struct {
	opcode, flags        uint8
	_                    uint16
	nsid                 uint32
	_                    [2]uint32 // cdw2, cdw3
	metadata, addr       uint64
	metadataLen, dataLen uint32
	cdw10, cdw11         uint32
	_                    [4]uint32 // cdw12 to cdw15
	timeoutMS            uint32
	result               uint32
}

// smartLog reads log page 2 of an NVMe drive; nil if that is not permitted.
func smartLog(device string) []byte {
	const (
		adminCommand = 0xC0484E41 // NVME_IOCTL_ADMIN_CMD
		getLogPage   = 0x02
		allNamespace = 0xFFFFFFFF
	)
	fd, err := unix.Open(device, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	page := make([]byte, 512)
	command := passthru{
		opcode: getLogPage, nsid: allNamespace, addr: uint64(uintptr(unsafe.Pointer(&page[0]))), dataLen: uint32(len(page)),
		cdw10: 0x02 | uint32(len(page)/4-1)<<16,
	}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), adminCommand, uintptr(unsafe.Pointer(&command)))
	if errno != 0 {
		return nil
	}
	return page
}
