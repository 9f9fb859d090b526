package text

import (
	"fmt"
	"io"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/replay"
)

// Replay writes how like its recording a replay was.
func Replay(w io.Writer, r *replay.Result, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &text{o: o, ink: ink(o.Color)}
	how := "with its pauses"
	if r.ASAP {
		how = "without its pauses"
	}
	t.wrap(t.ink.strong, "", fmt.Sprintf("Replayed %s on %s in %s, %s.", unit.Things(r.Replayed.Ops, "operation"),
		unit.Things(int64(r.Files), "file"), unit.Things(int64(r.Threads), "thread"), how))
	line := func(name, recorded, replayed string) {
		t.b.WriteString(pad(name, 22) + pad(recorded, 16) + replayed + "\n")
	}
	a, b := r.Recorded, r.Replayed
	t.b.WriteString("\n" + t.ink.faint(pad("", 22)+pad("recorded", 16)+"replayed") + "\n")
	line("time", unit.Nanoseconds(a.WallNS), fmt.Sprintf("%s (× %.2f)", unit.Nanoseconds(b.WallNS), r.Wall))
	line("throughput", unit.Speed(a.Rate), unit.Speed(b.Rate))
	line("bytes", unit.Bytes(a.Bytes), unit.Bytes(b.Bytes))
	line("size, median", unit.BlockSize(a.SizeP50), unit.BlockSize(b.SizeP50))
	line("size, 99 %", unit.BlockSize(a.SizeP99), unit.BlockSize(b.SizeP99))
	line("calls in flight", fmt.Sprintf("%.2f", a.Depth), fmt.Sprintf("%.2f", b.Depth))
	line("latency, median", unit.Nanoseconds(a.Latency), unit.Nanoseconds(b.Latency))
	line("latency, 99 %", unit.Nanoseconds(a.LatencyP99), unit.Nanoseconds(b.LatencyP99))
	if !r.SameSizes {
		t.wrap(nil, "! ", "Some operations moved fewer bytes than in the recording.")
	}
	if r.Omitted > 0 {
		t.wrap(nil, "", fmt.Sprintf("%s on these files that cannot be replayed (hints, extended attributes, failed calls): "+
			"the %s they took are replayed as pauses.", unit.Things(r.Omitted, "call"), unit.Nanoseconds(r.OmittedNS)))
	}
	for _, s := range r.Warnings {
		t.wrap(nil, "! ", s)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}
