package main

// A warning is told the first time; of further ones that differ in the place only, how
// many there were is told in the end.
type warnings struct {
	times map[string]int
	order []string
}

// warn tells of something that is no error; before says where it is.
func (m *messenger) warn(before, text string) {
	if m.first(text) {
		m.say("%s%s", before, text)
	}
}

// failOnce tells of an error as warn does of what is none.
func (m *messenger) failOnce(before, text string) {
	if m.first(text) {
		m.fail("%s%s", before, text)
	}
}

// first counts a text, and reports whether it was not told before.
func (m *messenger) first(text string) bool {
	if m.warned.times == nil {
		m.warned.times = map[string]int{}
	}
	m.warned.times[text]++
	if m.warned.times[text] > 1 {
		return false
	}
	m.warned.order = append(m.warned.order, text)
	return true
}

// tellRepeated tells how often warnings were repeated.
func (m *messenger) tellRepeated() {
	for _, text := range m.warned.order {
		if again := m.warned.times[text] - 1; again > 0 {
			m.say("%s more: %s", counted(again, "time", "times"), text)
		}
	}
	m.warned = warnings{}
}
