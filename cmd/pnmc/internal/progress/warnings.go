package progress

import "pnmc/cmd/pnmc/internal/wording"

// warnings counts warnings that differ only in their place. The first one is printed; of the others
// only the number, in the end. So a stream of a thousand automata with the same fault gives two
// lines instead of a thousand.
type warnings struct {
	times map[string]int
	order []string
}

// Warn reports something that is no error. before says where it is.
func (m *Messenger) Warn(before, text string) {
	if m.first(text) {
		m.Say("%s%s", before, text)
	}
}

// FailOnce reports an error, and repetitions of it as Warn does.
func (m *Messenger) FailOnce(before, text string) {
	if m.first(text) {
		m.Fail("%s%s", before, text)
	}
}

// first counts a text, and reports whether it was not printed before.
func (m *Messenger) first(text string) bool {
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

// TellRepeated reports how often warnings were repeated.
func (m *Messenger) TellRepeated() {
	for _, text := range m.warned.order {
		if again := m.warned.times[text] - 1; again > 0 {
			m.Say("%s more: %s", wording.Counted(again, "time", "times"), text)
		}
	}
	m.warned = warnings{}
}
