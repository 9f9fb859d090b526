package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// blockRequest is one of a made-up load: a time in us, a disk, a place and a length in sectors.
type blockRequest struct {
	at, disk, lba, sectors int
	write                  bool
}

// blockRequests are as many as that in 0.2 s, of three disks, some side by side and some far apart.
func blockRequests(n int) (list []blockRequest) {
	random := rand.New(rand.NewPCG(4, 2))
	at := 0
	for i := range n {
		lba := 8 * i
		if random.IntN(2) == 0 {
			lba = random.IntN(1 << 31)
		}
		list = append(list, blockRequest{at, random.IntN(3), lba, []int{1, 7, 8, 16, 64, 255}[random.IntN(6)], random.IntN(2) == 0})
		at += random.IntN(1000)
	}
	return list
}

// blockTables are the collections: how a line of each is written, and how awk adds up its lines, without knowing ours.
var blockTables = []struct {
	i       *convert.Importer
	heading string
	line    func(r blockRequest, op func(read, write string) string) string
	awk     string
	replay  bool // by fio
}{
	{i: &block.SPC, replay: true, line: func(r blockRequest, op func(string, string) string) string {
		return fmt.Sprintf("%d,%d, %d,%s,%d.%06d%s", r.disk, r.lba, 512*r.sectors, op("R", "w"), r.at/1e6, r.at%1e6,
			strings.Repeat(",7", 6*r.disk)) // fields that the format leaves open
	}, awk: `BEGIN { FS = " *, *" } { add("ASU " $1, toupper($4) == "R", $3) }`},
	{i: &block.FIU, replay: true, line: func(r blockRequest, op func(string, string) string) string {
		return fmt.Sprintf("%d %d nfsd %d %d %s 6 %d 531e779b8d7f0b5a0f4c7e1f3a5d9b11", 89966000+1000*r.at, 100+r.disk, r.lba,
			r.sectors, op("R", "W"), r.disk)
	}, awk: `{ add("device " $7 "-" $8, $6 == "R", $5 * 512) }`},
	{i: &block.CloudPhysics, replay: true, heading: "ts,lba,op,size\n",
		line: func(r blockRequest, op func(string, string) string) string {
			return fmt.Sprintf("%d,%d,%s,%d", 5633898611441+r.at, r.lba, op("r", "w"), 512*r.sectors)
		}, awk: `BEGIN { FS = "," } NR > 1 { add("virtual disk", $3 == "r", $4) }`},
	{i: &block.Cambridge, line: func(r blockRequest, op func(string, string) string) string {
		return fmt.Sprintf("%d,hm,%d,%s,%d,%d,413", 128166372003061629+10*r.at, r.disk, op("Read", "Write"), 512*r.lba, 512*r.sectors)
	}, awk: `BEGIN { FS = "," } { add($2 "-" $3, $4 == "Read", $6) }`},
	{i: &block.Alibaba, line: func(r blockRequest, op func(string, string) string) string {
		return fmt.Sprintf("%d,%s,%d,%d,%d", r.disk, op("R", "W"), 512*r.lba, 512*r.sectors, 1577808144360767+r.at)
	}, awk: `BEGIN { FS = "," } { add("device " $1, $2 == "R", $4) }`},
	{i: &block.Tencent, line: func(r blockRequest, op func(string, string) string) string {
		return fmt.Sprintf("%d,%d,%d,%s,%d", 1538323200+r.at/1e6, r.lba, r.sectors, op("0", "1"), r.disk)
	}, awk: `BEGIN { FS = "," } { add("volume " $5, $4 == 0, $3 * 512) }`},
	{i: &block.Systor, heading: "Timestamp,Response,IOType,LUN,Offset,Size\n",
		line: func(r blockRequest, op func(string, string) string) string {
			return fmt.Sprintf("%d.%06d000,0.000806000,%s,%d,%d,%d", 1456095145+r.at/1e6, r.at%1e6, op("R", "W"), r.disk,
				512*r.lba, 512*r.sectors)
		}, awk: `BEGIN { FS = "," } NR > 1 { add("LUN " $4, $3 == "R", $6) }`},
}

// added is what awk adds up: a line for each disk and direction, with the number of requests and their bytes.
func added(t *testing.T, program, text string) string {
	t.Helper()
	c := exec.Command("awk", `function add(disk, reads, bytes) { k = disk (reads ? " read" : " write"); n[k]++; s[k] += bytes }
		`+program+` END { for (k in n) printf "%s: %d, %.0f\n", k, n[k], s[k] }`)
	c.Stdin, c.Env = strings.NewReader(text), append(os.Environ(), "LC_ALL=C")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return sorted(string(out))
}

func sorted(text string) string { return strings.Join(slices.Sorted(strings.Lines(text)), "") }

// Tables of block traces come to what awk adds up, and so does what fio does of them.
func TestBlockTables(t *testing.T) {
	testenv.NeedTools(t, "awk", "fio")
	for _, table := range blockTables {
		t.Run(table.i.From, func(t *testing.T) {
			text, largest := table.heading, 0
			for _, r := range blockRequests(400) {
				text += table.line(r, func(read, write string) string {
					if r.write {
						return write
					}
					return read
				}) + "\n"
				largest = max(largest, 512*r.sectors)
			}
			want := added(t, table.awk, text)
			if got := importedSums(t, table.i, text); got != want {
				t.Errorf("imported (-awk +iotrace):\n%s", cmp.Diff(want, got))
			}
			if table.replay {
				replayed(t, table.i, text, want, int64(largest))
			}
		})
	}
}

// importedSums are the sums of a text as it is imported.
func importedSums(t *testing.T, i *convert.Importer, text string) string {
	t.Helper()
	log, n := trial.Import(t, i, text)
	if n.Damaged > 0 {
		t.Fatalf("%+v", n)
	}
	names, number, sum := map[trace.DeviceID]string{}, map[string]int{}, map[string]int64{}
	for _, d := range log.Devices {
		names[d.ID] = d.Name
	}
	for _, e := range log.Requests {
		key := names[e.Device] + " " + e.Op.String()
		number[key]++
		sum[key] += e.Bytes
	}
	var b strings.Builder
	for key := range number {
		fmt.Fprintf(&b, "%s: %d, %d\n", key, number[key], sum[key])
	}
	return sorted(b.String())
}

// replayed has fio do what is exported of a text: the log exactly, the job of shares the same bytes but for its last
// request.
func replayed(t *testing.T, i *convert.Importer, text, want string, largest int64) {
	t.Helper()
	reads, readBytes, writes, writeBytes := totals(t, want)
	dir := t.TempDir()
	path := filepath.Join(dir, "t.iotrace")
	var out bytes.Buffer
	in := conversion.Inputs{List: []convert.Input{{Reader: strings.NewReader(text), Name: "text"}}}
	if _, err := conversion.Import(&out, i, &in, "a test"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	to := output.Destination{Files: output.NewTree(dir, nil, nil)}
	for _, e := range []*Exporter{&FioLog, &FioJob} {
		if _, err := e.Folder(path, e.To, to); err != nil {
			t.Fatal(err)
		}
	}
	got := runFio(t, dir, FioLog.To)
	if got.Read != (side{reads, readBytes}) || got.Write != (side{writes, writeBytes}) {
		t.Errorf("replayed: %+v, want\n%s", got, want)
	}
	total, job := readBytes+writeBytes, runFio(t, dir, FioJob.To)
	if did := job.Read.Bytes + job.Write.Bytes; did < total || did >= total+largest {
		t.Errorf("the job moves %d bytes, want %d", did, total)
	}
	heading := fmt.Sprintf(" %d reads, %d writes, ", reads, writes)
	if b, err := os.ReadFile(filepath.Join(dir, FioJob.To+".fio")); err != nil || !strings.Contains(string(b), heading) {
		t.Errorf("no %q in\n%s%v", heading, b, err)
	}
}

// totals are the numbers of reads and writes of all disks, and their bytes.
func totals(t *testing.T, sums string) (reads, readBytes, writes, writeBytes int64) {
	t.Helper()
	for line := range strings.Lines(sums) {
		disk, rest, _ := strings.Cut(line, ": ")
		var n, sum int64
		if _, err := fmt.Sscanf(rest, "%d, %d", &n, &sum); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if strings.HasSuffix(disk, " read") {
			reads, readBytes = reads+n, readBytes+sum
		} else {
			writes, writeBytes = writes+n, writeBytes+sum
		}
	}
	return reads, readBytes, writes, writeBytes
}

// side is what fio read, or wrote.
type side struct {
	Requests int64 `json:"total_ios"`
	Bytes    int64 `json:"io_bytes"`
}

// done is what a job of fio has done.
type done struct {
	Error       int
	Read, Write side
}

// runFio runs a job through the page cache, as the directory may be on a file system without direct I/O, and returns what
// the last of its parts has done.
func runFio(t *testing.T, dir, name string) done {
	t.Helper()
	c := exec.Command("fio", "--output-format=json", "--output="+name+".json", "--direct=0", "--ioengine=psync", name+".fio")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var result struct{ Jobs []done }
	b, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err == nil {
		err = json.Unmarshal(b[bytes.IndexByte(b, '{'):], &result)
	}
	if err != nil || len(result.Jobs) == 0 || result.Jobs[len(result.Jobs)-1].Error != 0 {
		t.Fatalf("%v: %s", err, b)
	}
	return result.Jobs[len(result.Jobs)-1]
}
