package path

import "github.com/iotrace/iotrace/trace"

// Ask is what was asked of a server, as far as segments are told apart by it.
type Ask struct {
	Protocol          trace.Protocol
	Procedure, Server string
	Bytes             int64
}

// asks numbers what was asked, from 1: segments, of which there are many, have the number.
type asks struct {
	list    []Ask
	numbers map[Ask]uint32
}

// maxAsks bounds what is told apart.
const maxAsks = 1 << 12

// of is the number of what an RPC asked for.
func (m *asks) of(e *trace.RPC) uint32 {
	a := Ask{e.Protocol, e.Procedure, e.Server, e.Bytes}
	if m.numbers[a] == 0 && len(m.list) >= maxAsks {
		a.Bytes = 0
	}
	if m.numbers[a] == 0 && len(m.list) >= 2*maxAsks {
		a = Ask{Protocol: e.Protocol}
	}
	if n := m.numbers[a]; n != 0 {
		return n
	}
	if m.numbers == nil {
		m.numbers = map[Ask]uint32{}
	}
	m.list = append(m.list, a)
	m.numbers[a] = uint32(len(m.list))
	return m.numbers[a]
}

// at is what has a number; nil for 0.
func (m *asks) at(number uint32) *Ask {
	if m == nil || number == 0 {
		return nil
	}
	return &m.list[number-1]
}

// sameServer reports whether two were asked of one server.
func (m *asks) sameServer(a, b uint32) bool { return m.at(a).Server == m.at(b).Server }
