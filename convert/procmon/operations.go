package procmon

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// operations are those of files, by the names that Process Monitor gives them.
var operations = []struct {
	name string
	op   trace.Op
}{
	{"CreateFile", trace.OpOpen}, {"CloseFile", trace.OpClose}, {"ReadFile", trace.OpRead}, {"WriteFile", trace.OpWrite},
	{"FlushBuffersFile", trace.OpSync}, {"QueryDirectory", trace.OpReaddir}, {"NotifyChangeDirectory", trace.OpReaddir},
	{"QueryOpen", trace.OpStat}, {"QueryStandardInformationFile", trace.OpStat},
	{"QueryBasicInformationFile", trace.OpStat},
	{"QueryNetworkOpenInformationFile", trace.OpStat}, {"QueryNameInformationFile", trace.OpStat},
	{"QueryNormalizedNameInformationFile", trace.OpStat}, {"QueryAllInformationFile", trace.OpStat},
	{"QueryAttributeTagFile", trace.OpStat}, {"QueryFileInternalInformationFile", trace.OpStat},
	{"QueryIdInformation", trace.OpStat}, {"QueryEaInformationFile", trace.OpXattr}, {"QueryEAFile", trace.OpXattr},
	{"QueryStreamInformationFile", trace.OpStat}, {"QuerySizeInformationVolume", trace.OpStatFS},
	{"QueryInformationVolume", trace.OpStatFS}, {"QueryFullSizeInformationVolume", trace.OpStatFS},
	{"QueryAttributeInformationVolume", trace.OpStatFS}, {"QueryDeviceInformationVolume", trace.OpStatFS},
	{"QuerySecurityFile", trace.OpStat}, {"SetSecurityFile", trace.OpAttr}, {"SetBasicInformationFile", trace.OpAttr},
	{"SetEndOfFileInformationFile", trace.OpTruncate}, {"SetAllocationInformationFile", trace.OpAllocate},
	{"SetValidDataLengthInformationFile", trace.OpAttr}, {"SetRenameInformationFile", trace.OpRename},
	{"SetRenameInformationFileEx", trace.OpRename}, {"SetLinkInformationFile", trace.OpLink},
	{"SetDispositionInformationFile", trace.OpUnlink}, {"SetDispositionInformationEx", trace.OpUnlink},
	{"SetDispositionInformationFileEx", trace.OpUnlink}, {"LockFile", trace.OpLock}, {"UnlockFileSingle", trace.OpLock},
	{"UnlockFileAll", trace.OpLock}, {"FileSystemControl", trace.OpIoctl}, {"DeviceIoControl", trace.OpIoctl},
	{"CreateFileMapping", trace.OpMmap},
}

type operation struct {
	op   trace.Op
	call uint16
}

var table = func() map[string]operation {
	m := map[string]operation{}
	for i, o := range operations {
		m[o.name] = operation{o.op, uint16(i)}
	}
	return m
}()

func names() (list []string) {
	for _, o := range operations {
		list = append(list, o.name)
	}
	return list
}

// successes are results of operations that did what they could.
var successes = []string{"", "SUCCESS", "END OF FILE", "BUFFER OVERFLOW", "BUFFER TOO SMALL", "NO MORE FILES",
	"REPARSE",
	"NO MORE ENTRIES", "NOTIFY ENUM DIR", "FILE LOCKED WITH ONLY READERS", "FILE LOCKED WITH WRITERS",
	"OPLOCK BREAK IN PROGRESS"}

// failures are the numbers of Linux for results that say that an operation failed.
var failures = map[string]int64{"NAME NOT FOUND": 2, "PATH NOT FOUND": 2, "NO SUCH FILE": 2, "DELETE PENDING": 2,
	"NO SUCH DEVICE": 19, "ACCESS DENIED": 13, "PRIVILEGE NOT HELD": 1, "CANNOT DELETE": 1, "SHARING VIOLATION": 16,
	"FILE LOCK CONFLICT": 11, "LOCK NOT GRANTED": 11, "RANGE NOT LOCKED": 22, "NAME COLLISION": 17, "NAME INVALID": 22,
	"DISK FULL": 28, "QUOTA EXCEEDED": 122, "IS DIRECTORY": 21, "NOT A DIRECTORY": 20, "DIRECTORY NOT EMPTY": 39,
	"INVALID PARAMETER": 22, "INVALID DEVICE REQUEST": 25, "NOT IMPLEMENTED": 95, "NOT SUPPORTED": 95, "CANCELLED": 125,
	"WRITE PROTECTED": 30, "TOO MANY OPENED FILES": 24}

// result is 0, or the number of an error, negative: that of an I/O error for one that is not known.
func result(text []byte) int64 {
	if slices.Contains(successes, string(text)) {
		return 0
	}
	if n, known := failures[string(text)]; known {
		return -n
	}
	return -5
}
