package draw

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
