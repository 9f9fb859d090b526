package trace

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The numbers in the specification are those of the code.
func TestSpecificationListsNumbers(t *testing.T) {
	b, err := os.ReadFile("../docs/trace-format.md")
	if err != nil {
		t.Fatal(err)
	}
	spec := strings.Join(strings.Fields(string(b)), " ")
	numbered := func(names []string) string {
		var list []string
		for i, name := range names {
			list = append(list, fmt.Sprintf("%d %s", i, name))
		}
		return strings.Join(list, ", ")
	}
	for what, names := range map[string][]string{
		"operations": opNames[:], "request operations": reqOpNames[:], "evidence": evidenceNames[:], "kinds": kindNames[:],
		"causes": waitNames[:], "APIs": apiNames[:], "actions": actionNames[:], "wake sources": wakeNames[:],
		"file types": fileTypeNames[:], "protocols": protocolNames[:],
	} {
		if want := numbered(names); !strings.Contains(spec, want) {
			t.Errorf("%s should be listed as:\n%s", what, want)
		}
	}
	for what, value := range map[string]uint64{
		"O_DIRECT": uint64(FlagDirect), "SEEK_HOLE or SEEK_DATA": uint64(FlagHole), "REQ_SYNC": uint64(ReqSync),
		"REQ_NOMERGE": uint64(ReqNoMerge), "compressed data": uint64(ReqPacked), "I/O priority class idle": uint64(ReqIdle),
		"deleted":  uint64(FileDeleted),
		"unlinked": uint64(FileUnlinked),
	} {
		if want := fmt.Sprintf("%#x %s", value, what); !strings.Contains(spec, want) {
			t.Errorf("the specification lacks %q", want)
		}
	}
}
