package main

import "github.com/iotrace/iotrace/internal/unit"

type (
	sizeFlag     = unit.SizeFlag
	durationFlag = unit.DurationFlag
)
