package calls

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

const text = `# darshan log version: 3.21
# exe: ./ior -o /scratch/t
# nprocs: 2

# ***************************************************
# DXT_POSIX module data
# ***************************************************

# DXT, file_id: 16457598720760448348, file_name: /scratch/a file, b
# DXT, rank: 0, hostname: node1
# DXT, write_count: 2, read_count: 1
# DXT, mnt_pt: /scratch, fs_type: lustre
# DXT, Lustre stripe_size: 1048576, Lustre stripe_count: 2
# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)  [OST]
 X_POSIX       0  write        0               0       262144      0.5029      0.5032  [ 11]
 X_POSIX       0  write        1          262144       262144      0.5032      0.7035  [ 11]
 X_POSIX       0   read        0               0         4096      0.9000      0.9000  [ 11]

# DXT, file_id: 7, file_name: /scratch/c
# DXT, rank: 1, hostname: node2
# DXT, write_count: 1, read_count: 0
# DXT, mnt_pt: /scratch, fs_type: lustre
# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)
 X_POSIX       1  write        0  1099511627776            1      0.4000      0.6000
 X_POSIX       1  write        1               0           1      0.6000      0.5000

# DXT, file_id: 16457598720760448348, file_name: /scratch/a file, b
# DXT, rank: 0, hostname: node1
# Module    Rank  Wt/Rd  Segment       Length    Start(s)      End(s)
 X_MPIIO       0  write        0       262144      0.5029      0.5032
`

// Reads and writes of all files come in the order of their ends. The first began at 0.4 s, which is time 0.
func TestDXT(t *testing.T) {
	log, c := trial.Import(t, &Darshan, text)
	trial.Calls(t, &Darshan, log, []string{
		"1 write fd=-1 /scratch/a file, b at 0 req 262144 = 262144, 102900000+300000",
		"2 write fd=-1 /scratch/c at 1099511627776 req 1 = 1, 0+200000000",
		"1 write fd=-1 /scratch/a file, b at 262144 req 262144 = 262144, 103200000+200300000",
		"1 read fd=-1 /scratch/a file, b at 0 req 4096 = 4096, 500000000+0",
	})
	if c.Damaged != 1 || c.First != 25 || len(log.Processes) != 2 || log.Processes[1].Command != "rank 1" {
		t.Errorf("%+v, %+v", c, log.Processes)
	}
	if notes := strings.Join(c.Notes, "; "); !strings.Contains(notes, "X_MPIIO, left out: 1") {
		t.Error(notes)
	}
	for _, other := range []string{"no\nlog\n", " X_POSIX 0 write 0 0 1 0.1 0.2\n"} {
		if _, err := Darshan.Import(strings.NewReader(other), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
			t.Error(err)
		}
	}
}

// Thousands of segments come to what was put into them, by file.
func TestSums(t *testing.T) {
	var b strings.Builder
	want, got := map[string]int64{}, map[string]int64{}
	for file := range 5 {
		name := fmt.Sprintf("/f%d", file)
		fmt.Fprintf(&b, "# DXT, file_id: %d, file_name: %s\n", file, name)
		for i := range 4000 {
			fmt.Fprintf(&b, "%8s%8d%7s%9d%16d%16d%12.4f%12.4f\n", "X_POSIX", i%7, []string{"read", "write"}[i%2], i, i*10, i+1,
				float64(i), float64(i)+0.5)
			want[name] += int64(i) + 1
		}
	}
	log, c := trial.Import(t, &Darshan, b.String())
	last := int64(0)
	for i := range log.Syscalls {
		e := &log.Syscalls[i]
		got[log.Path(e.File)] += e.Result
		if e.End() < last {
			t.Fatalf("%+v comes too late", e)
		}
		last = e.End()
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || c.Damaged > 0 {
		t.Errorf("%v, want %v, %+v", got, want, c)
	}
}

func FuzzDarshan(f *testing.F) {
	f.Add(text)
	for line := range strings.Lines(text) {
		f.Add("# DXT, file_id: 7, file_name: /c\n" + line)
	}
	f.Fuzz(func(t *testing.T, text string) { trial.Fuzz(t, &Darshan, text) })
}
