package progress

import (
	"bytes"
	"testing"
)

// TestRepeatedIsCounted: what differs in more than the place is told each time.
func TestRepeatedIsCounted(t *testing.T) {
	var stderr bytes.Buffer
	m := To(&stderr)
	for _, text := range []string{"one", "two", "two", "one", "three"} {
		m.Warn("", text)
	}
	m.TellRepeated()
	m.TellRepeated()
	if told := stderr.String(); told != "pnmc: one\npnmc: two\npnmc: three\npnmc: 1 time more: one\npnmc: 1 time more: two\n" {
		t.Errorf("told %q", told)
	}
}
