package report

import (
	"fmt"
	"io"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/replay"
)

// ReplayText writes how like its recording a replay was.
func ReplayText(w io.Writer, r *replay.Result, o TextOptions) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &text{o: o, ink: ink(o.Color)}
	how := "with its pauses"
	if r.ASAP {
		how = "without its pauses"
	}
	t.wrap(t.ink.strong, "", fmt.Sprintf("Replayed %s on %s in %s, %s.", some(r.Replayed.Ops, "operation"), some(int64(r.Files), "file"), some(int64(r.Threads), "thread"), how))
	line := func(name, recorded, replayed string) {
		t.b.WriteString(pad(name, 22) + pad(recorded, 16) + replayed + "\n")
	}
	a, b := r.Recorded, r.Replayed
	t.b.WriteString("\n" + t.ink.faint(pad("", 22)+pad("recorded", 16)+"replayed") + "\n")
	line("time", duration(a.WallNS), fmt.Sprintf("%s (× %.2f)", duration(b.WallNS), r.Wall))
	line("throughput", perSecond(a.Rate), perSecond(b.Rate))
	line("bytes", unit.Bytes(a.Bytes), unit.Bytes(b.Bytes))
	line("size, median", unit.BlockSize(a.SizeP50), unit.BlockSize(b.SizeP50))
	line("size, 99 %", unit.BlockSize(a.SizeP99), unit.BlockSize(b.SizeP99))
	line("calls in flight", fmt.Sprintf("%.2f", a.Depth), fmt.Sprintf("%.2f", b.Depth))
	line("latency, median", duration(a.Latency), duration(b.Latency))
	line("latency, 99 %", duration(a.Latency9), duration(b.Latency9))
	if !r.SameSizes {
		t.wrap(nil, "! ", "Some operations moved fewer bytes than in the recording.")
	}
	if r.Omitted > 0 {
		t.wrap(nil, "", fmt.Sprintf("%s on these files that cannot be replayed (hints, extended attributes, failed calls): the %s they took are replayed as pauses.",
			some(r.Omitted, "call"), duration(r.OmittedNS)))
	}
	for _, s := range r.Warnings {
		t.wrap(nil, "! ", s)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}
