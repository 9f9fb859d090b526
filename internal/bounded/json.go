package bounded

import (
	"fmt"
	"io"
	"os"
)

// JSON refuses a document of more than so many values, or whose values are nested deeper than MaxDepth: as numbers,
// texts, lists and objects they take many times the memory of their text. It does not check what is wrong with it
// otherwise.
func JSON(text []byte, values int) error {
	depth, n := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				return fmt.Errorf("at byte %d values are nested more than %d deep", i+1, MaxDepth)
			}
			n++
		case '}', ']':
			depth--
		case ',', ':':
			n++
		}
		if n > values {
			return fmt.Errorf("at byte %d there are more than %d values", i+1, values)
		}
	}
	return nil
}

// File is what is in a file that is read as one document, of at most MaxDocument bytes.
func File(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxDocument {
		return nil, fmt.Errorf("reading %s: %w", name, TooLong(MaxDocument))
	}
	return text, nil
}
