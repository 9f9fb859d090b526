package generator

// copyOptions make cp move the data, or clone it.
func copyOptions(work string) []string {
	switch work {
	case "clone":
		return []string{"-c"}
	case "tree":
		return []string{"-R"}
	}
	return nil
}
