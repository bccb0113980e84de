package marked_test

import (
	"errors"
	"strings"
	"testing"

	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

// TestLabelsOfTestingAutomataAreLarge: a formula whose testing automaton has labels that are too large is given up for
// that reason. With the limits as they are, eleven propositions suffice, and some seconds.
func TestLabelsOfTestingAutomataAreLarge(t *testing.T) {
	s := ltl.NewFormulas()
	any := s.Atom("a")
	for _, name := range strings.Fields("b c d e f") {
		any = s.Or(any, s.Atom(name))
	}
	for nodes, tooLarge := range map[int]bool{1 << 22: false, 1 << 12: true} {
		reset := marked.FewNodes(nodes)
		_, err := translate.ToTGTA(t.Context(), s, s.Globally(any), translate.Options{}, translate.Smaller)
		reset()
		if errors.Is(err, bdd.ErrTooLarge) != tooLarge || !tooLarge && err != nil {
			t.Errorf("%d nodes: %v", nodes, err)
		}
	}
}
