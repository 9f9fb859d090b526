package procmon

import "strings"

// afternoon says of the words with which languages tell the halves of a day whether they mean the second; those of
// Windows' formats, without dots and blanks, and in lower case.
var afternoon = map[string]bool{
	"am": false, "pm": true, "a": false, "p": true,
	"πμ": false, "μμ": true, // Greek
	"ص": false, "م": true, "قظ": false, "بظ": true, // Arabic, Persian
	"上午": false, "下午": true, // Chinese
	"午前": false, "午後": true, // Japanese
	"오전": false, "오후": true, // Korean
	"sa": false, "ch": true, // Vietnamese
	"öö": false, "ös": true, // Turkish
	"de": false, "du": true, // Hungarian
	"dop": false, "odp": true, // Czech
	"pd": false, "md": true, // Albanian
	"vm": false, "nm": true, // Afrikaans, Dutch
	"fm": false, "em": true, // Swedish
	"पूर्वाह्न": false, "अपराह्न": true, // Hindi
	"прпл": false, "слпл": true, "проб": false, "слоб": true, // Bulgarian
	"priekšp": false, "pēcp": true, // Latvian
	"priešpiet": false, "popiet": true, // Lithuanian
}

// half says which half of the day a word means, "" none; known is false of a word that no language is known to have.
func half(word string) (second, told, known bool) {
	word = strings.Map(func(r rune) rune {
		switch r {
		case '.', ' ', '\u00a0', '\u202f', '\u200f', '\u200e':
			return -1
		}
		return r
	}, strings.ToLower(word))
	if word == "" {
		return false, false, true
	}
	second, known = afternoon[word]
	return second, known, known
}
