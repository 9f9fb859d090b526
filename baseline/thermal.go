package baseline

import "encoding/binary"

// Thermal is what a drive says of its heat. Fields that it does not tell are
// nil.
type Thermal struct {
	MilliCelsius *int64 `json:"milli_celsius,omitempty"`
	Source       string `json:"source"` // "nvme_smart", "hwmon"
	// Counters of the NVMe SMART log, since the drive was made.
	WarningMinutes  *int64 `json:"warning_minutes,omitempty"`
	CriticalMinutes *int64 `json:"critical_minutes,omitempty"`
	Transitions     *int64 `json:"thermal_transitions,omitempty"` // times it slowed down because of heat, both stages
	ThrottleSeconds *int64 `json:"thermal_seconds,omitempty"`     // time spent slowed down
}

// parseSMART decodes the SMART / Health Information log page (NVM Express Base
// Specification 2.0, figure 207). nil if it is too short.
func parseSMART(page []byte) *Thermal {
	if len(page) < 232 {
		return nil
	}
	word := func(at int) int64 { return int64(binary.LittleEndian.Uint32(page[at:])) }
	t := &Thermal{Source: "nvme_smart"}
	if kelvin := int64(binary.LittleEndian.Uint16(page[1:])); kelvin != 0 {
		t.MilliCelsius = new((kelvin - 273) * 1000)
	}
	t.WarningMinutes, t.CriticalMinutes = new(word(192)), new(word(196))
	t.Transitions = new(word(216) + word(220))
	t.ThrottleSeconds = new(word(224) + word(228))
	return t
}

// heated reports whether the drive slowed down because of heat between two
// readings: by its own counters, if it has them.
func heated(before, after *Thermal) (yes, known bool) {
	if before == nil || after == nil || before.Transitions == nil || after.Transitions == nil {
		return false, false
	}
	return *after.Transitions > *before.Transitions || *after.ThrottleSeconds > *before.ThrottleSeconds, true
}
