package draw

import "strings"

// kinds are what draws things of one form, by the names of their kinds.
type kinds[D any] []struct {
	name string
	draw D
}

// names returns those of the kinds.
func (k kinds[D]) names() []string {
	var list []string
	for _, one := range k {
		list = append(list, one.name)
	}
	return list
}

// of returns what draws the kind of that name.
func (k kinds[D]) of(name string) D {
	for _, one := range k {
		if one.name == name {
			return one.draw
		}
	}
	panic("no such kind: " + name)
}

// Weight returns how often a kind is drawn among others: input that is refused as it is read, or is
// so large that reading it takes the time, less often than input that reaches the engines.
func Weight(kind string) int {
	switch {
	case strings.HasSuffix(kind, "-damaged"), strings.HasSuffix(kind, "-wrong"), strings.HasSuffix(kind, "-long"):
		return 1
	case strings.HasSuffix(kind, "-small"):
		return 4
	}
	return 3
}

// ArgumentKinds returns the names of the kinds of command lines without input: those that ask for
// help, and those that are wrong.
func ArgumentKinds() []string { return []string{"arguments-help", "arguments-wrong"} }
