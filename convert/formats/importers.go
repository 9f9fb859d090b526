// Package formats lists the formats that can be read and those that can be written. No format knows another. It is a
// package of its own because the list knows every format, and a format only package convert.
package formats

import (
	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/biosnoop"
	"github.com/iotrace/iotrace/convert/blktrace"
	"github.com/iotrace/iotrace/convert/blockcsv"
	"github.com/iotrace/iotrace/convert/darshan"
	"github.com/iotrace/iotrace/convert/dtruss"
	"github.com/iotrace/iotrace/convert/fio"
	"github.com/iotrace/iotrace/convert/fsslower"
	"github.com/iotrace/iotrace/convert/fsusage"
	"github.com/iotrace/iotrace/convert/instruments"
	"github.com/iotrace/iotrace/convert/iosnoop"
	"github.com/iotrace/iotrace/convert/jsonl"
	"github.com/iotrace/iotrace/convert/ktrace"
	"github.com/iotrace/iotrace/convert/perftrace"
	"github.com/iotrace/iotrace/convert/procmon"
	"github.com/iotrace/iotrace/convert/strace"
	"github.com/iotrace/iotrace/convert/tracepoint"
)

// Importers are the formats that can be read, in the order in which help shows them.
var Importers = []*convert.Importer{
	&strace.Importer,
	&blktrace.Text,
	&blktrace.Binary,
	&biosnoop.Importer,
	&fsslower.Importer,
	&iosnoop.Linux,
	&iosnoop.DTrace,
	&tracepoint.Perf,
	&tracepoint.Ftrace,
	&tracepoint.LTTng,
	&perftrace.Importer,
	&fsusage.Importer,
	&instruments.Importer,
	&ktrace.Importer,
	&dtruss.Importer,
	&procmon.Importer,
	&fio.Log,
	&fio.Iolog,
	&darshan.Importer,
	&blockcsv.Cambridge,
	&blockcsv.Alibaba,
	&blockcsv.Tencent,
	&blockcsv.Systor,
	&blockcsv.SPC,
	&blockcsv.FIU,
	&blockcsv.CloudPhysics,
	&jsonl.Importer,
}
