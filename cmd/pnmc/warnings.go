package main

// A warning is told the first time; of further ones that differ in the place only, how
// many there were is told in the end.
type warnings struct {
	times map[string]int
	order []string
}

// warn tells of something that is no error; before says where it is.
func (m *messenger) warn(before, text string) {
	if m.warned.times == nil {
		m.warned.times = map[string]int{}
	}
	m.warned.times[text]++
	if m.warned.times[text] > 1 {
		return
	}
	m.warned.order = append(m.warned.order, text)
	m.say("%s%s", before, text)
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
