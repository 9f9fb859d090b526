package perfetto

import (
	"bufio"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/iotrace/iotrace/trace"
)

// sequence is the number of the sequence that all packets are of.
const sequence = 1

// packets are what the trace is made of.
type packets struct {
	w     *bufio.Writer
	err   error
	begun bool

	line, packet, content, event, value message // used again

	categories  *words
	names       *words
	annotations *words
	texts       *words
	news        message // what the next packet tells of words
	args        message // annotations of the next slice
}

func newPackets(w *bufio.Writer) *packets {
	return &packets{w: w, categories: newWords(internedCategories), names: newWords(internedEventNames),
		annotations: newWords(internedAnnotations), texts: newWords(internedTexts)}
}

// put writes a packet.
func (p *packets) put(content message) {
	if p.err != nil {
		return
	}
	b := append(p.packet[:0], content...).number(packetSequence, sequence)
	if !p.begun {
		b = b.number(packetSequenceFlags, stateCleared)
	} else {
		b = b.number(packetSequenceFlags, stateNeeded)
	}
	p.begun = true
	p.packet = b
	p.line = p.line[:0].message(tracePacket, b)
	_, p.err = p.w.Write(p.line)
}

// began says when the recording began by the clock on the wall.
func (p *packets) began(h trace.Header) {
	ns := h.WallStart.UnixNano()
	if h.WallStart.IsZero() || ns <= 0 {
		return
	}
	clock := func(id, at uint64) message { return message(nil).number(clockID, id).number(clockTimestamp, at) }
	p.put(message(nil).message(packetClockSnapshot, message(nil).
		message(snapshotClocks, clock(clockBoottime, 0)).message(snapshotClocks, clock(clockRealtime, uint64(ns)))))
}

// number adds a number to what is said of the next slice.
func (p *packets) number(name string, v int64) { p.annotate(name, annotationInt, uint64(v)) }

// text adds a text.
func (p *packets) text(name, s string) {
	var id uint64
	id, p.news = p.texts.id(s, p.news)
	p.annotate(name, annotationTextID, id)
}

func (p *packets) annotate(name string, field protowire.Number, v uint64) {
	var id uint64
	id, p.news = p.annotations.id(name, p.news)
	p.value = p.value[:0].number(field, v).number(annotationNameID, id)
	p.args = p.args.message(eventAnnotations, p.value)
}

// slice is something that took a time.
type slice struct {
	category, name string
	track          uint64
	start, end     int64
	flows          []uint64
}

// slice writes a slice, with what was said of it.
func (p *packets) slice(s slice) {
	var category, name uint64
	category, p.news = p.categories.id(s.category, p.news)
	name, p.news = p.names.id(s.name, p.news)
	e := p.event[:0].number(eventCategoryIDs, category).number(eventType, typeBegin).number(eventNameID, name).
		number(eventTrack, s.track)
	e = append(e, p.args...)
	for _, id := range s.flows {
		e = e.fixed(eventFlows, id)
	}
	b := p.content[:0].number(packetTimestamp, uint64(s.start))
	if len(p.news) > 0 {
		b = b.message(packetInternedData, p.news)
	}
	b = b.message(packetTrackEvent, e)
	p.put(b)
	e = e[:0].number(eventType, typeEnd).number(eventTrack, s.track)
	b = b[:0].number(packetTimestamp, uint64(max(s.start, s.end))).message(packetTrackEvent, e)
	p.put(b)
	p.content, p.event, p.news, p.args = b, e, p.news[:0], p.args[:0]
}
