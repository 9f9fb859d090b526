// Package formats lists the formats that can be read and those that can be written. No format knows another. It is a
// package of its own because the list knows every format, and a format only package convert.
package formats

import (
	"github.com/iotrace/iotrace/convert"

	"github.com/iotrace/iotrace/convert/calls"
	"github.com/iotrace/iotrace/convert/darwin"
	"github.com/iotrace/iotrace/convert/fio"

	"github.com/iotrace/iotrace/convert/jsonl"

	"github.com/iotrace/iotrace/convert/block"
	"github.com/iotrace/iotrace/convert/procmon"
	"github.com/iotrace/iotrace/convert/strace"
)

// Importers are the formats that can be read, in the order in which help shows them.
var Importers = []*convert.Importer{
	&strace.Importer,
	&block.Blkparse,
	&block.Blktrace,
	&block.Biosnoop,
	&calls.FSSlower,
	&block.Iosnoop,
	&block.IosnoopDTrace,
	&calls.PerfScript,
	&calls.Ftrace,
	&calls.LTTng,
	&calls.PerfTrace,
	&darwin.FSUsage,
	&darwin.Instruments,
	&darwin.Ktrace,
	&darwin.Dtruss,
	&procmon.Importer,
	&fio.Log,
	&fio.Iolog,
	&calls.Darshan,
	&block.Cambridge,
	&block.Alibaba,
	&block.Tencent,
	&block.Systor,
	&block.SPC,
	&block.FIU,
	&block.CloudPhysics,
	&jsonl.Importer,
}
