package block

// ParseDecimal reads a number, with up to nine digits behind the point, as an integer of units 10^-scale.
func ParseDecimal(text []byte, scale int) (n int64, ok bool) {
	i, negative := 0, false
	if len(text) > 0 && text[0] == '-' {
		i, negative = 1, true
	}
	digits, point := 0, -1
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '.' && point < 0:
			point = 0
			continue
		case c < '0' || c > '9':
			return 0, false
		case point >= 0 && point >= scale: // finer than a unit
			if point == scale && c >= '5' {
				n++
			}
			point++
			continue
		case n > (1<<62)/10:
			return 0, false
		}
		n = n*10 + int64(c-'0')
		if digits++; point >= 0 {
			point++
		}
	}
	for missing := scale - max(point, 0); missing > 0; missing-- {
		if n > (1<<62)/10 {
			return 0, false
		}
		n *= 10
	}
	if negative {
		n = -n
	}
	return n, digits > 0
}
