package block

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

// Lines after the README of each collection, the last of them damaged.
func TestCollections(t *testing.T) {
	for _, c := range []struct {
		i    *convert.Importer
		text string
		want []string
	}{
		{&Cambridge, "128166372003061629,hm,0,Read,383496192,32768,413\n128166372002869395,hm,1,Write,512,4096,1000\n" +
			"128166372016382155,hm,0,Trim,1,2,3\n", []string{
			"hm-0 read 749016+32768 pid 0: -1 19223400 19264700, 1 bios", "hm-1 write 1+4096 pid 0: -1 0 100000, 1 bios"}},
		{&Alibaba, "device_id,opcode,offset,length,timestamp\n419,W,8192,16384,1577808144360767\n" +
			"420,R,126703644672,4096,1577808144360867\n420,X,1,1,1577808144360867\n", []string{
			"device 419 write 16+16384 pid 0: -1 0 0, 1 bios", "device 420 read 247468056+4096 pid 0: -1 100000 100000, 1 bios"}},
		{&Tencent, "1538323200,12036744,8,1,1063\n1538323202,16,512,0,1064\n1538323202,16,512,2,1064\n", []string{
			"volume 1063 write 12036744+4096 pid 0: -1 0 0, 1 bios",
			"volume 1064 read 16+262144 pid 0: -1 2000000000 2000000000, 1 bios"}},
		{&Systor, "Timestamp,Response,IOType,LUN,Offset,Size\n1456095145.133076000,0.000806000,R,0,899056122368,131072\n" +
			"1456095145.133076100,0.5,W,4,1024,512\n1456095145.2,,,4,,\n1456095145.2,0.5,W,4,1024\n", []string{
			"LUN 0 read 1755968989+131072 pid 0: -1 0 806000, 1 bios", "LUN 4 write 2+512 pid 0: -1 100 500000100, 1 bios",
			"LUN 4 other 0+0 pid 0: -1 66924000 66924000, 1 bios"}},
		{&SPC, "0,20941264,8192,W,0.551706\n1, 16, 512, r, 0.551806, 7,,\n0,20939840,8192,X,0.55\n", []string{
			"ASU 0 write 20941264+8192 pid 0: -1 0 0, 1 bios", "ASU 1 read 16+512 pid 0: -1 100000 100000, 1 bios"}},
		{&FIU, "89966000 4892 syslogd 904265560 8 W 6 0 531e779b8d7f0b5a0f4c7e1f3a5d9b11\n" +
			"89966500 4892 syslogd 904265568 16 R 6 0 531e779b8d7f0b5a0f4c7e1f3a5d9b11\n89966500 4892 sys log 1 8 R 6 0 5\n",
			[]string{"device 6-0 write 904265560+4096 pid 4892: -1 0 0, 1 bios", "device 6-0 read 904265568+8192 pid 4892: -1 500 500, 1 bios"}},
		// The first time is 0, the second 1.5 ms later: 8 sectors at 4096, then 1 at its end.
		{&CloudPhysics, "ts,lba,op,size\n5633898611441,4096,w,4096\n5633898612941,4104,r,512\n5633898612941,4104,r,100\n", []string{
			"virtual disk write 4096+4096 pid 0: -1 0 0, 1 bios", "virtual disk read 4104+512 pid 0: -1 1500000 1500000, 1 bios"}},
	} {
		t.Run(c.i.From, func(t *testing.T) {
			log, n := trial.Import(t, c.i, c.text)
			trial.Requests(t, log, c.want)
			if n.Damaged != 1 || n.First != n.Lines {
				t.Errorf("%+v", n)
			}
			for _, other := range []*convert.Importer{&Cambridge, &Alibaba, &Tencent, &Systor, &SPC, &FIU, &CloudPhysics} {
				if fit := convert.Recognize([]byte(c.text), true, []*convert.Importer{other}); (len(fit) > 0) != (other == c.i) {
					t.Errorf("found in %s: %v", other.From, len(fit) > 0)
				}
			}
			if _, err := c.i.Import(strings.NewReader("a,b\n"), &trace.Log{}); !errors.Is(err, convert.ErrFormat) {
				t.Error(err)
			}
		})
	}
}

// Thousands of random lines come to what was put into them, by volume and operation.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	want, got := map[string]int64{}, map[string]int64{}
	for i := range 20_000 {
		volume, op, sectors := random.IntN(50), random.IntN(2), 1+random.IntN(256)
		fmt.Fprintf(&text, "%d,%d,%d,%d,%d\n", 1538323200+i/700, random.IntN(1<<30), sectors, op, volume)
		want[fmt.Sprintf("volume %d %s", volume, []string{"read", "write"}[op])] += int64(sectors) * 512
	}
	log, _ := trial.Import(t, &Tencent, text.String())
	names := map[trace.DeviceID]string{}
	for _, d := range log.Devices {
		names[d.ID] = d.Name
	}
	for _, e := range log.Requests {
		got[names[e.Device]+" "+e.Op.String()] += e.Bytes
	}
	if len(want) != 100 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

func FuzzBlockCSV(f *testing.F) {
	f.Add("128166372003061629,hm,0,Read,383496192,32768,413\n128166372002869395,hm,1,Write,512,4096,1000\n")
	f.Add("419,W,8192,16384,1577808144360767\n419,R,18014398509481983,4294967295,18446744073709551615\n")
	f.Add("1538323200,12036744,8,1,1063\n1538323202,16,512,0,1064\n")
	f.Add("1456095145.133076000,0.000806000,R,0,899056122368,131072\n1456095145.2,,,4,,\n")
	f.Add("0,20941264,8192,W,0.551706\n1, 16, 512, r, 0.551806\n")
	f.Add("0,20941264,8192,W,0.551706,1,2,3,4,5,6,7\n1, 16, 512, r, 0.551806,,\n")
	f.Add("89966000 4892 syslogd 904265560 8 W 6 0 531e779b8d7f0b5a0f4c7e1f3a5d9b11\n")
	f.Add("5633898611441,4096,w,4096\n5633898612941,4104,r,512\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, i := range []*convert.Importer{&Cambridge, &Alibaba, &Tencent, &Systor, &SPC, &FIU, &CloudPhysics} {
			trial.Fuzz(t, i, text)
		}
	})
}
