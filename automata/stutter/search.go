package stutter

import (
	"context"
	"encoding/binary"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
)

// stutterSearch looks for a word that differs from an accepted one by repetitions and is not
// accepted. It searches the product of spoiler's moves in a stutterGame with a complement of
// duplicator's automaton. Both are explored as far as is needed. A letter that is repeated is one
// step of the product, with several of the complement, so that no state has to remember it. A
// pair is left out where the game is won from a state that duplicator's automaton is known to
// have reached: all words are accepted from there.
//
// For example, X a and repetitions. Spoiler goes from its first state to its second by the letter
// !a, which the complement, X !a, reads twice: after that it accepts everything. Spoiler goes on with
// a, a, a …, and both accept. So !a a a a … is a word of X a, and !a !a a a … is none: X a is not
// stutter-invariant.
//
// Why it is right: what the product accepts is a word w of the complement, and a run of spoiler over
// a word that differs from w by repetitions. Conversely, if no such pair of words exists, what comes
// of accepted words by repetitions is accepted. The same is done for leaving repetitions out, where
// spoiler has the shortcuts; both together are invariance.
//
// The complement is exponential at worst. It is explored pair by pair, and searched for an accepting
// cycle each time the pairs have doubled: all looks together cost about twice the last.
type stutterSearch struct {
	game     *stutterGame
	rejected rejectedWords
	letters  int
	covers   []bool // of a pair of states of the game
	work     *int   // left

	moves    moveLists             // spoiler's
	movesOf  []uint32              // of state s and letter l at s×letters + l: the list
	steps    moveLists             // of the complement, for a letter once or repeated
	stepsOf  map[letterStep]uint32 // the list
	combined map[[2]uint32]bool    // pairs of lists met in this step
	pairs    *automata.Pairs
	out      [][]marked.Link // of the pairs explored
	edges    int             // in out
}

// moveLists numbers lists of moves: many letters have the same.
type moveLists struct {
	lists  [][]marked.Move
	number map[string]uint32
}

// intern returns the number of a list, which it keeps.
func (m *moveLists) intern(list []marked.Move) uint32 {
	var key []byte
	for _, x := range list {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(x.To)), x.Marks)
	}
	n, known := m.number[string(key)]
	if !known {
		if m.number == nil {
			m.number = map[string]uint32{}
		}
		n = uint32(len(m.lists))
		m.number[string(key)] = n
		m.lists = append(m.lists, list)
	}
	return n
}

// firstLook is the number of pairs after which the part of the product that is explored
// is first searched for a word; it is searched again whenever it has doubled.
const firstLook = 256

// newStutterSearch prepares a search; both automata have at most 64 sets together.
func newStutterSearch(g *stutterGame, rejected rejectedWords, letters []bdd.Function, work *int) *stutterSearch {
	s := &stutterSearch{
		game: g, rejected: rejected, letters: len(letters), work: work,
		stepsOf: map[letterStep]uint32{}, combined: map[[2]uint32]bool{}, pairs: automata.NewPairs(0, 0),
	}
	moves := movesOver(g.spoiler.Functions, marked.Graph{Sets: g.spoiler.Sets, Out: g.moves}, letters)
	for _, list := range moves.moves {
		s.movesOf = append(s.movesOf, s.moves.intern(list))
	}
	for p := range g.spoiler.Out {
		for q := range g.duplicator.Out {
			s.covers = append(s.covers, g.wonFrom([]automata.State{automata.State(p)}, []automata.State{automata.State(q)}))
		}
	}
	return s
}

// run searches where spoiler starts in one of these states.
func (s *stutterSearch) run(ctx context.Context, from []automata.State) stutterAnswer {
	for _, p := range from {
		for _, m := range s.rejected.starts() {
			if !s.covered(p, m) {
				s.pairs.Number(p, m)
			}
		}
	}
	for look := firstLook; ; look *= 2 {
		for len(s.out) < min(look, s.pairs.Len()) {
			if *s.work <= 0 || ctx.Err() != nil || !s.explore() {
				return stutterUnknown
			}
		}
		if s.accepted() {
			return stutterSensitive
		}
		if len(s.out) == s.pairs.Len() {
			return stutterInvariant
		}
	}
}

// covered reports whether a pair is to be left out.
func (s *stutterSearch) covered(p, m automata.State) bool {
	return slices.ContainsFunc(s.rejected.reached(m), func(q automata.State) bool { return s.covers[s.game.at(p, q)] })
}

// explore adds the edges of the next pair. It reports false where a limit is exceeded.
func (s *stutterSearch) explore() bool {
	p, m := s.pairs.At(uint32(len(s.out)))
	clear(s.combined)
	var edges []marked.Link
	for l := range s.letters {
		step := letterStep{m, int32(l)}
		ours := s.movesOf[int(p)*s.letters+l]
		moves := s.moves.lists[ours]
		if len(moves) == 0 {
			continue
		}
		theirs, known := s.stepsOf[step]
		if !known {
			list, ok := s.stepFrom(m, l)
			if !ok {
				return false
			}
			theirs = s.steps.intern(list)
			s.stepsOf[step] = theirs
		}
		lists := [2]uint32{ours, theirs}
		if s.combined[lists] {
			continue
		}
		s.combined[lists] = true
		*s.work--
		for _, c := range s.steps.lists[lists[1]] {
			*s.work -= len(moves)
			for _, e := range moves {
				if !s.covered(e.To, c.To) {
					n, _ := s.pairs.Number(e.To, c.To)
					edges = append(edges, marked.Link{To: automata.State(n), Marks: e.Marks | c.Marks<<s.game.spoiler.Sets, Label: bdd.TrueFunction})
				}
			}
		}
	}
	s.out = append(s.out, edges)
	s.edges += len(edges)
	return s.edges <= stutterEdges
}

// stepFrom returns the moves of the complement for letter l, once or repeated; false where
// it gets too large.
func (s *stutterSearch) stepFrom(m automata.State, l int) ([]marked.Move, bool) {
	first, ok := s.rejected.next(m, l)
	if !ok || !s.game.repeats {
		return first, ok
	}
	list := slices.Clone(first)
	for i := 0; i < len(list); i++ {
		again, ok := s.rejected.next(list[i].To, l)
		if !ok {
			return nil, false
		}
		for _, c := range again {
			c.Marks |= list[i].Marks
			if !slices.ContainsFunc(list, func(x marked.Move) bool { return x.To == c.To && x.Marks&c.Marks == c.Marks }) {
				list = append(list, c)
			}
		}
	}
	return list, true
}

// accepted reports whether what is explored has an accepting cycle.
func (s *stutterSearch) accepted() bool {
	out := make([][]marked.Link, s.pairs.Len())
	copy(out, s.out)
	graph := &marked.Graph{Sets: s.game.spoiler.Sets + s.rejected.sets(), Out: out}
	for _, accepting := range graph.AcceptingComponents(graph.Components()) {
		if accepting {
			return true
		}
	}
	return false
}
