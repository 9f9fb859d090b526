package visible

import "strings"

// Command joins the words of a command as a shell would need them.
func Command(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = shellWord(a)
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word where a shell would need it. A word with characters
// that cannot be printed becomes $'…', which bash and zsh read back.
func shellWord(w string) string {
	if p := Text(w); p != w {
		return "$'" + strings.ReplaceAll(p, "'", `\'`) + "'"
	}
	if w == "" || strings.ContainsAny(w, " \"'$`&|;<>()*?[]{}~#!\\") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
