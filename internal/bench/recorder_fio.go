//go:build linux

package main

import (
	"encoding/json"
	"fmt"

	"github.com/iotrace/iotrace/stats"
)

// reads is what a run of fio says of its reads.
type reads struct {
	IOPS    float64 `json:"iops"`
	Latency struct {
		Mean float64 `json:"mean"` // ns
	} `json:"lat_ns"`
}

// fio compares 4 KiB random reads, one at a time, past the cache: what recording adds to each is the same on every
// drive, what it takes of the rate is more the faster the drive.
func fio(b *session) error {
	if !installed("fio") {
		b.printf("\n### Direct reads, one at a time\n\nfio is not installed.\n")
		return nil
	}
	file := b.dir + "/fio.iotrace"
	record := []string{b.tool, "record", "--quiet", "--drain", "0", "-f", "-o", file, "--"}
	job := fioJob(b, "psync", 1, 1)
	if err := b.command(append(job, "--create_only=1")...).Run(); err != nil {
		return err
	}
	var ratio, added, bare, took sample
	for range 2 * b.rounds {
		var sum [2]reads
		for _, recorded := range []int{0, 1, 1, 0} { // a drift over the four hits both alike
			words := job
			if recorded == 1 {
				words = append(append([]string{}, record...), job...)
			}
			r, err := fioReads(b, words)
			if err != nil {
				return err
			}
			sum[recorded].IOPS += r.IOPS / 2
			sum[recorded].Latency.Mean += r.Latency.Mean / 2000
		}
		bare, took = append(bare, sum[0].IOPS), append(took, sum[0].Latency.Mean)
		ratio = append(ratio, sum[1].IOPS/sum[0].IOPS)
		added = append(added, sum[1].Latency.Mean-sum[0].Latency.Mean)
	}
	ci := stats.MedianCI(ratio, .95)
	b.printf("\n### Direct reads, one at a time\n\n`fio`, 4 KiB at random: recording adds %.1f µs (%.1f to %.1f) to a "+
		"read of %.1f µs. IOPS recorded / bare: %.3f (95 %% interval of the median %.3f to %.3f; quartiles %.3f to %.3f), "+
		"%d times two runs of a second of each, %.0f IOPS bare; goal: 0.98.\n", added.median(), added.quantile(.25),
		added.quantile(.75), took.median(), ratio.median(), ci.Low, ci.High, ratio.quantile(.25), ratio.quantile(.75),
		len(ratio), bare.median())
	return traceFacts(b, file, "the last run")
}

// fioJob is the command of random reads of 4 KiB for some seconds.
func fioJob(b *session, engine string, depth, seconds int) []string {
	return []string{"fio", "--name=reads", "--filename=" + b.dir + "/fio.data", "--size=512m", "--rw=randread", "--bs=4k",
		"--direct=1", "--ioengine=" + engine, fmt.Sprint("--iodepth=", depth), fmt.Sprint("--runtime=", seconds),
		"--time_based", "--output-format=json", "--randseed=7"}
}

func fioReads(b *session, words []string) (reads, error) {
	text, err := b.command(words...).Output()
	if err != nil {
		return reads{}, err
	}
	return readsOf(text)
}

// readsOf are the reads of a run's output.
func readsOf(text []byte) (reads, error) {
	var result struct {
		Jobs []struct {
			Read reads `json:"read"`
		} `json:"jobs"`
	}
	if err := json.Unmarshal(text, &result); err != nil || len(result.Jobs) != 1 {
		return reads{}, fmt.Errorf("reading fio's output: %d jobs, %w", len(result.Jobs), err)
	}
	return result.Jobs[0].Read, nil
}
