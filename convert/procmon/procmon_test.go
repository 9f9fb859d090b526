package procmon

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: m}.Run()) }

const heading = `"Time of Day","Process Name","PID","Operation","Path","Result","Detail"` + "\n"

// usual is a table with the columns that are there by default.
const usual = heading +
	`"11:59:59.9000000 PM","cp.exe","300","CreateFile","C:\a, ""b"".txt","SUCCESS","Desired Access: Generic Read, Disposition: Open, Options: Sequential Access, OpenResult: Opened"
"11:59:59.9000100 PM","cp.exe","300","ReadFile","C:\a, ""b"".txt","SUCCESS","Offset: 0, Length: 65,536, Priority: Normal"
"11:59:59.9000200 PM","cp.exe","300","ReadFile","C:\a, ""b"".txt","SUCCESS","Offset: 0, Length: 65,536, I/O Flags: Non-cached, Paging I/O, Priority: Normal"
"11:59:59.9000300 PM","cp.exe","300","ReadFile","C:\a, ""b"".txt","END OF FILE","Offset: 1,165,536, Length: 65,536"
"12:00:00.1000000 AM","cp.exe","300","WriteFile","D:\b","DISK FULL","Offset: 0, Length: 512, I/O Flags: Non-cached"
"12:00:00.2000000 AM","cp.exe","300","WriteFile","D:\b","FAST IO DISALLOWED","Offset: 0, Length: 512"
"12:00:00.3000000 AM","x.exe","400","RegSetValue","HKLM\x","SUCCESS","Type: REG_SZ, Length: 34, Data: x"
"12:00:00.4000000 AM","cp.exe","300","SetRenameInformationFile","D:\b","SUCCESS","ReplaceIfExists: True, FileName: D:\c"
"12:00:00.5000000 AM","cp.exe","300","SetEndOfFileInformationFile","D:\c","SUCCESS","EndOfFile: 4,096"
"12:00:00.6000000 AM","cp.exe","300","CloseFile","D:\c","SUCCESS",""
"12:00:00.7000000 AM","cp.exe","300","CreateFile","D:\none","NAME NOT FOUND","Desired Access: Read Attributes, Disposition: Open"
no line
"12:00:00.8000000 AM","cp.exe","300","CloseFile"
`

func TestUsual(t *testing.T) {
	log, c := trial.Import(t, &Importer, usual)
	trial.Calls(t, &Importer, log, []string{
		`300 CreateFile fd=-1 C:\a, "b".txt at -1 req 0 = 0, 0+0`,
		`300 ReadFile fd=-1 C:\a, "b".txt at 0 req 65536 = 65536, 10000+0`,
		`300 ReadFile fd=-1 C:\a, "b".txt at 1165536 req 65536 = 0, 30000+0`,
		`300 WriteFile fd=-1 D:\b at 0 req 512 = -28, 200000000+0`,
		`300 SetRenameInformationFile fd=-1 D:\b at -1 req 0 = 0, 500000000+0`,
		`300 SetEndOfFileInformationFile fd=-1 D:\c at -1 req 4096 = 0, 600000000+0`,
		`300 CloseFile fd=-1 D:\c at -1 req 0 = 0, 700000000+0`,
		`300 CreateFile fd=-1 D:\none at -1 req 0 = -2, 800000000+0`,
	})
	if c.Damaged != 2 || c.First != 13 || len(c.Notes) != 3 || !strings.Contains(c.Notes[0], "1 reads and writes, of 65536 bytes") ||
		!strings.HasPrefix(c.Notes[1], "1 events are no operations") || !strings.HasPrefix(c.Notes[2], "1 operations are left out") {
		t.Errorf("%+v", c)
	}
	if e := log.Syscalls[4]; log.Path(e.File2) != `D:\c` || e.File2 != log.Syscalls[5].File {
		t.Errorf("renamed to %q", log.Path(e.File2))
	}
	if f := log.Syscalls[0].Flags; f != trace.FlagRead {
		t.Errorf("opened with %b", f)
	}
	if l := Importer.Limits([]byte(usual)); len(l) != 1 || l[0].Code != trace.LimitNoDurations {
		t.Errorf("limits %v", l)
	}
}

// Other columns, in another order, of systems in other languages.
func TestLanguages(t *testing.T) {
	const columns = `"Sequence","Time of Day","Duration","PID","TID","Operation","Path","Result","Detail"` + "\n"
	for name, row := range map[string]string{
		"German":   `"0","22:29:05,0593693","0,0000123","7","8","ReadFile","C:\x","SUCCESS","Offset: 1.048.576, Length: 4.096, Priority: Normal"`,
		"French":   "\"0\",\"22:29:05,0593693\",\"0,0000123\",\"7\",\"8\",\"ReadFile\",\"C:\\x\",\"SUCCESS\",\"Offset: 1\u202f048\u202f576, Length: 4\u00a0096\"",
		"Swiss":    `"0","22:29:05.0593693","0.0000123","7","8","ReadFile","C:\x","SUCCESS","Offset: 1’048’576, Length: 4'096"`,
		"English":  "\"0\",\"10:29:05.0593693\u202fPM\",\"0.0000123\",\"7\",\"8\",\"ReadFile\",\"C:\\x\",\"SUCCESS\",\"Offset: 1,048,576, Length: 4,096\"",
		"unquoted": `0,10:29:05.0593693 PM,0.0000123,7,8,ReadFile,C:\x,SUCCESS,"Offset: 1,048,576, Length: 4,096"`,
	} {
		log, c := trial.Import(t, &Importer, columns+row+"\r\n")
		if c.Damaged > 0 || len(log.Syscalls) != 1 {
			t.Errorf("%s: %+v", name, c)
			continue
		}
		if e := log.Syscalls[0]; e.TID != 8 || e.Offset != 1<<20 || e.Result != 4096 || e.Duration != 12300 {
			t.Errorf("%s: %+v", name, e)
		}
		if at, _ := timeOfDay([]byte(strings.Split(strings.ReplaceAll(row, `"`, ""), ",")[1])); at/1e9 != 22*3600+29*60+5 {
			t.Errorf("%s: %d", name, at)
		}
	}
	if l := Importer.Limits([]byte(columns)); len(l) != 0 {
		t.Errorf("limits %v", l)
	}
}

// The halves of a day are told in many languages, before the time or behind it; a word that none has is no time.
func TestHalvesOfDays(t *testing.T) {
	for text, want := range map[string]int64{
		"10:00:00.5 PM": 22, "12:00:00.5 AM": 0, "12:00:00.5 PM": 12, "10:00:00.5": 10, "22:00:00,5": 22,
		"10:00:00.5 μμ": 22, "10:00:00.5 πμ": 10, "12:00:00.5 π.μ.": 0, "10:00:00.5 م": 22, "10:00:00.5 ص": 10,
		"10:00:00.5 CH": 22, "10:00:00.5 SA": 10, "上午 10:00:00.5": 10, "下午 10:00:00.5": 22, "오전 10:00:00.5": 10,
		"오후 10:00:00.5": 22, "午後 10:00:00.5": 22, "ÖS 10:00:00.5": 22, "10:00:00.5 du.": 22, "10:00:00.5 p. m.": 22,
		"10:00:00.5 a.\u00a0m.": 10, "12:00:00.5 PD": 0, "10:00:00.5 MD": 22, "10:00:00.5 XX": -1, "quer 10:00:00.5": -1,
	} {
		at, ok := timeOfDay([]byte(text))
		if ok != (want >= 0) || ok && at != want*3600e9+5e8 {
			t.Errorf("%s: %d, %v; want %d h", text, at, ok, want)
		}
	}
}

// The heading alone tells the format: a table may begin with the registry, or hold nothing else.
func TestHeading(t *testing.T) {
	const registry = `"12:00:00.3000000 AM","x.exe","400","RegSetValue","HKLM\x","SUCCESS","Type: REG_SZ, Length: 34, Data: x"` + "\r\n"
	if fit := convert.Recognize([]byte(heading+registry), true, []*convert.Importer{&Importer}); len(fit) != 1 {
		t.Error("a table of the registry is not recognized")
	}
	for _, other := range []string{"", `"PID","TID"`, "Time of Day, PID", `"Time of Day`} {
		if Importer.Proves([]byte(other)) {
			t.Errorf("%q is taken for a heading", other)
		}
	}
}

// Requests that are kept until something happens do not last as long as nothing happens.
func TestPending(t *testing.T) {
	const columns = `"Time of Day","Duration","PID","Operation","Path","Result","Detail"` + "\n"
	log, c := trial.Import(t, &Importer, columns+
		`"10:00:00.0 AM","3.5000000","7","NotifyChangeDirectory","C:\x","SUCCESS","Filter: FILE_NOTIFY_CHANGE_FILE_NAME"
"10:00:00.1 AM","2.5000000","7","FileSystemControl","C:\x","SUCCESS","Control: FSCTL_READ_USN_JOURNAL"
"10:00:00.2 AM","1.5000000","7","FileSystemControl","C:\x","CANCELLED","Control: FSCTL_REQUEST_FILTER_OPLOCK, OplockLevel: Read"
"10:00:00.3 AM","0.5000000","7","FileSystemControl","C:\x","SUCCESS","Control: FSCTL_SET_SPARSE"
"10:00:00.4 AM","0.2500000","7","QueryDirectory","C:\x","SUCCESS","Filter: NOTIFY"
`)
	var took []int64
	for _, e := range log.Syscalls {
		took = append(took, e.Duration)
	}
	if want := []int64{0, 0, 0, 500_000_000, 250_000_000}; !slices.Equal(took, want) {
		t.Errorf("durations %d, want %d", took, want)
	}
	if len(c.Notes) != 1 || !strings.HasPrefix(c.Notes[0], "3 requests that Windows keeps") {
		t.Errorf("%q", c.Notes)
	}
}

// processes is a table with a start that the parent tells of, one that it does not, and ends.
const processes = `"Time of Day","Process Name","PID","Operation","Path","Result","Detail","Image Path"` + "\n" +
	`"10:00:00.0 AM","cmd.exe","7","Process Create","C:\bin\a.exe","SUCCESS","PID: 8, Command line: ""C:\bin\a.exe"" x","C:\cmd.exe"
"10:00:00.1 AM","a.exe","8","Process Start","","SUCCESS","Parent PID: 7, Command line: ""C:\bin\a.exe"" x, Current directory: C:\, Environment: X","C:\bin\a.exe"
"10:00:00.2 AM","b.exe","9","Process Start","","SUCCESS","Parent PID: 4, Command line: b -v, Current directory: C:\, Environment: X","C:\b.exe"
"10:00:00.3 AM","a.exe","8","Process Exit","","SUCCESS","Exit Status: 3, User Time: 0.0156250 seconds, Kernel Time: 0.2500000 seconds, Private Bytes: 1",""
"10:00:00.4 AM","old.exe","5","Process Exit","","SUCCESS","Exit Status: -1073740756, User Time: 0,0000000 seconds, Kernel Time: 0,5 seconds",""
"10:00:00.5 AM","b.exe","9","Process Exit","","SUCCESS","Exit Status: ",""
"10:00:00.6 AM","b.exe","9","Process Start","","SUCCESS","Parent PID: ",""
"10:00:00.7 AM","b.exe","9","Process Create","","SUCCESS","PID: x",""
"10:00:00.8 AM","b.exe","9","Thread Exit","","SUCCESS","Thread ID: 1",""
"10:00:00.85 AM","a.exe","8","CloseFile","C:\x","SUCCESS","",""
"10:00:00.9 AM","c.exe","8","Process Start","","SUCCESS","Parent PID: 7, Command line: c, Current directory: C:\","C:\c.exe"
`

func TestProcesses(t *testing.T) {
	log, c := trial.Import(t, &Importer, processes)
	var got []string
	for _, p := range log.Processes {
		got = append(got, fmt.Sprintf("%d %d %d of %d %s %s %q status %d cpu %d", p.Time/1e6, p.Action, p.PID, p.Parent, p.Command,
			p.Exe, strings.Split(p.Args, "\x00"), p.Status, p.CPU))
	}
	want := []string{
		`0 4 7 of 0 cmd.exe  [""] status 0 cpu 0`,
		`0 1 8 of 7 a.exe  [""] status 0 cpu 0`,
		`0 2 8 of 7 a.exe C:\bin\a.exe ["C:\\bin\\a.exe" "x"] status 0 cpu 0`,
		`200 1 9 of 4 b.exe  [""] status 0 cpu 0`,
		`200 2 9 of 4 b.exe C:\b.exe ["b" "-v"] status 0 cpu 0`,
		`300 3 8 of 0 a.exe  [""] status 768 cpu 265625000`,
		`400 4 5 of 0 old.exe  [""] status 0 cpu 0`,
		`400 3 5 of 0 old.exe  [""] status 65280 cpu 500000000`,
		`900 1 8 of 7 c.exe  [""] status 0 cpu 0`, // the number again; what the one before closed late is its own
		`900 2 8 of 7 c.exe C:\c.exe ["c"] status 0 cpu 0`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if c.Damaged != 3 || c.Skipped != 3 { // the heading, what was told before, the thread
		t.Errorf("%+v", c)
	}
}

// Command lines are taken apart as Microsoft's documentation shows it.
func TestArguments(t *testing.T) {
	for line, want := range map[string][]string{
		``: nil, `a b  c`: {"a", "b", "c"}, `"a b c" d e`: {"a b c", "d", "e"}, `"ab\"c" "\\" d`: {`ab"c`, `\`, "d"},
		`a\\\b d"e f"g h`: {`a\\\b`, "de fg", "h"}, `a\\\"b c d`: {`a\"b`, "c", "d"}, `a\\\\"b c" d e`: {`a\\b c`, "d", "e"},
		`"" a`: {"", "a"}, `C:\x\ y`: {`C:\x\`, "y"}, `x\`: {`x\`}, `"open`: {"open"},
	} {
		if got := arguments(line); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, text := range []string{"no\nprocmon\n", heading, strings.SplitAfter(usual, "\n")[1]} {
		if _, err := Importer.Import(strings.NewReader(text), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Fields are those that encoding/csv finds, as far as that reads the line.
func TestSplit(t *testing.T) {
	for _, line := range []string{`a,b`, `"a","b"`, `"a,""b""",c`, `"",""`, `,,`, `"a"x,b`, `"a`, `"a""`, `"a"""`, `"`, `""`, `a,"b`} {
		r := reader{}
		ok := r.split([]byte(line))
		want, err := csv.NewReader(strings.NewReader(line)).Read()
		var got []string
		for _, f := range r.fields {
			got = append(got, string(f))
		}
		if ok != (err == nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q, %v", line, got, ok, want, err)
		}
	}
}

func FuzzProcmon(f *testing.F) {
	f.Add(usual)
	f.Add(processes)
	f.Add(`"Relative Time","PID","Operation","Path","Detail","Duration"` + "\n" +
		`"00:00:01.25","4","WriteFile","C:\x","Offset: 1.048.576, Length: 4 096","0,5"` + "\n")
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &Importer, text) })
}

func FuzzSplit(f *testing.F) {
	f.Add(`"a,""b""",c`)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n") || line == "" {
			return
		}
		r := reader{}
		ok := r.split([]byte(line))
		want, err := csv.NewReader(strings.NewReader(line)).Read()
		if err == nil && (!ok || len(want) != len(r.fields)) {
			t.Fatalf("%q: %q, %v; want %q", line, r.fields, ok, want)
		}
	})
}
