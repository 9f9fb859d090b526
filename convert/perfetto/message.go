package perfetto

import (
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// message is a message of protocol buffers, field after field.
type message []byte

func (m message) number(field protowire.Number, v uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), v)
}

func (m message) fixed(field protowire.Number, v uint64) message {
	return protowire.AppendFixed64(protowire.AppendTag(m, field, protowire.Fixed64Type), v)
}

// text adds a text, which has to be UTF-8: U+FFFD stands for what is none.
func (m message) text(field protowire.Number, s string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), strings.ToValidUTF8(s, "\ufffd"))
}

func (m message) message(field protowire.Number, inner message) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), inner)
}

// The fields that are written, of the messages of protos/perfetto/trace in Perfetto's
// sources, by the names they have there.
const (
	tracePacket = 1 // of Trace

	packetClockSnapshot   = 6
	packetTimestamp       = 8
	packetSequence        = 10
	packetTrackEvent      = 11
	packetInternedData    = 12
	packetSequenceFlags   = 13
	packetTrackDescriptor = 60

	stateCleared, stateNeeded = 1, 2 // SequenceFlags

	snapshotClocks = 1
	clockID        = 1
	clockTimestamp = 2
	clockRealtime  = 1 // BuiltinClock
	clockBoottime  = 6 // what timestamps are of, if nothing else is said

	descriptorUUID    = 1
	descriptorName    = 2
	descriptorProcess = 3
	descriptorThread  = 4
	descriptorParent  = 5
	descriptorCounter = 8

	processPID, processName          = 1, 6
	threadPID, threadTID, threadName = 1, 2, 5
	counterUnitName                  = 6

	eventCategoryIDs    = 3
	eventAnnotations    = 4
	eventType           = 9
	eventNameID         = 10
	eventTrack          = 11
	eventDoubleValue    = 44
	eventFlows          = 47
	typeBegin           = 1
	typeEnd             = 2
	typeCounter         = 4
	annotationNameID    = 1
	annotationInt       = 4
	annotationTextID    = 17
	internedCategories  = 1
	internedEventNames  = 2
	internedAnnotations = 3
	internedTexts       = 29
	internedID          = 1
	internedName        = 2
)
