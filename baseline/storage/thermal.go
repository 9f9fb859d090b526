package storage

import (
	"encoding/binary"

	"github.com/iotrace/iotrace/baseline"
)

// parseSMART decodes the SMART / Health Information log page (NVM Express Base
// Specification 2.0, figure 207). nil if it is too short.
func parseSMART(page []byte) *baseline.Thermal {
	if len(page) < 232 {
		return nil
	}
	word := func(at int) int64 { return int64(binary.LittleEndian.Uint32(page[at:])) }
	t := &baseline.Thermal{Source: "nvme_smart"}
	if kelvin := int64(binary.LittleEndian.Uint16(page[1:])); kelvin != 0 {
		t.MilliCelsius = new((kelvin - 273) * 1000)
	}
	t.WarningMinutes, t.CriticalMinutes = new(word(192)), new(word(196))
	t.Transitions = new(word(216) + word(220))
	t.ThrottleSeconds = new(word(224) + word(228))
	return t
}
