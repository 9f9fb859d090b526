//go:build linux

package main

// page is docs/performance-baselines.md.
const page = `# The load generator, measured

Written by ` + "`make bench-baselines`" + ` on {{.Machine}}. The machine is virtual and its disk is shared: trust the ratios, not the rates.
{{with .FioTables}}
## Against fio

The same file, direct I/O through io_uring, one thread. Runs of ours and of fio take turns, each first equally often. Ratios are ours over fio's, pair by
pair, and their median; the interval is the bootstrapped 95 % interval of the ratio of the medians. Latency is from submission to completion as the
program sees it (fio's ` + "`lat`" + `); of a mix that of the direction that differs more. CPU is user and system time of the process. Bold: rate or p50 further
than 5 %, p99 further than 15 %, depth further than 2 % from fio's; CPU above fio's by more than 25 %.

A cell is decided only where its interval is narrower than the bound. On a device whose every request takes the same time, rate and latency show whether the
depth is kept and the time measured as fio does it. CPU is not judged there: a hundred operations a second share what an idle process costs. Over memory both
programs are bound by two CPUs that they share with the loop device, so the rate follows the CPU time per operation. On the disk, its other users make
neighbouring runs differ by tens of percent.
{{range .}}
### {{.Where}}

Medians, and cells within bounds: {{.Summary}}.

| job, block, depth | fio MB/s | rate | 95 % | p50 | p99 | depth | CPU |
|---|---|---|---|---|---|---|---|
{{range .Rows}}{{.}}
{{end}}{{end}}{{end}}{{with .KDiskMarkRows}}
## KDiskMark's own job lines

fio with the options that KDiskMark 3 gives it, and KDiskMark's arithmetic (KiB/s ÷ 1000, called MB/s), beside what our pattern says KDiskMark shows (MB/s ÷
1.024). fio's engine is libaio there, ours is io_uring. On a device whose every request takes {{$.Slowness}}.

| pattern | KDiskMark shows | we show | ratio | 95 % |
|---|---|---|---|---|
{{range .}}{{.}}
{{end}}{{end}}{{with $.Places}}
## Several directories in one table

` + "`iotrace bench cdm@9/default/seq1m-q8t1/write --dir A --dir B --dir C --dir D --dir E`" + `, {{len .}} times, on loop devices over memory. The second is the equal of the
first; the last is limited by a control group, so its true factor is the limit over the median of the first.

| device | median MB/s | ratio to the first | true factor | "~" | slower | faster |
|---|---|---|---|---|---|---|
{{range $.PlaceRows}}{{.}}
{{end}}{{end}}{{with .Sustained}}
## A throttle that comes while ` + "`bench sustained`" + ` writes

The device whose every request takes {{$.Slowness}}, limited to 64 MiB/s after a random number of bytes between 300 and 900 MiB of 1200; files of 16 MiB. In
every other run no limit comes in 2000 MiB. The limit was {{$.Found}}.

| imposed after MiB | found after MiB |
|---|---|
{{range .}}| {{if .Imposed}}{{.ImposedMiB}}{{else}}never{{end}} | {{if .Found}}{{.FoundMiB}}{{else}}never{{end}} |
{{end}}{{end}}`
