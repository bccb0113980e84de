package etf

import (
	"fmt"
	"slices"
	"strings"
)

// Names in the format are letters, digits, underscores and apostrophes, with a letter
// first. Any other byte has a backslash before it, and so have words that begin or end
// sections. A lone underscore means "no name". Several variables may have no name, but
// no two have the same name.

// noName is how the format writes that there is no name.
const noName = "_"

// keywords are no names unless a backslash stands before them.
var keywords = []string{"begin", "end", "state", "edge", "init", "trans", "map", "sort"}

// parseName reads a name as it is written. It reports false if a backslash has nothing
// behind it.
func parseName(text string) (string, bool) {
	if text == noName {
		return "", true
	}
	if !strings.Contains(text, `\`) {
		return text, true // as almost all are
	}
	name := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			if i++; i == len(text) {
				return "", false
			}
		}
		name = append(name, text[i])
	}
	return string(name), true
}

// formatName returns the text that parseName reads as the name.
func formatName(name string) string {
	if name == "" {
		return noName
	}
	var text strings.Builder
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if other := c >= '0' && c <= '9' || c == '_' || c == '\''; !letter && (i == 0 || !other) {
			text.WriteByte('\\')
		}
		text.WriteByte(c)
	}
	if slices.Contains(keywords, name) {
		return `\` + name
	}
	return text.String()
}

// cutTyped splits name:sort at the last colon that has no backslash before it.
func cutTyped(text string) (name, sort string, found bool) {
	colon := -1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ':':
			colon = i
		}
	}
	if colon < 1 || colon == len(text)-1 || text[0] == '"' {
		return "", "", false
	}
	return text[:colon], text[colon+1:], true
}

// checkNames returns an error for names that Read would not give back: of two variables of one
// name, or with an end of line, which no backslash can hide.
func checkNames(m *Model) error {
	var names []string
	seen := map[string]bool{}
	for _, v := range m.Variables {
		if v.Name != "" && seen[v.Name] {
			return fmt.Errorf("ETF can't have two variables of the name %q", v.Name)
		}
		seen[v.Name] = true
		names = append(names, v.Name, v.Sort)
	}
	for _, t := range m.EdgeLabels {
		names = append(names, t.Name, t.Sort)
	}
	for _, x := range m.Maps {
		names = append(names, x.Name, x.Sort)
	}
	for _, s := range m.Sorts {
		names = append(names, s.Name)
	}
	for _, name := range names {
		if strings.ContainsAny(name, "\r\n") {
			return fmt.Errorf("ETF can't have the name %q: expected no end of line in it", name)
		}
	}
	return nil
}

// variableName returns the name of a variable, or says which it is of those without one.
func (m *Model) variableName(v uint32) string {
	if name := m.Variables[v].Name; name != "" {
		return name
	}
	return fmt.Sprintf("variable_%d", v+1)
}
