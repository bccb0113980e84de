package view

import (
	"encoding/binary"

	"pnmc/automata"
)

// runBlock is a run as the page gets it. Slices of bytes are sequences of unsigned
// variable-length integers.
type runBlock struct {
	From int `json:"from"`
	At   int `json:"at,omitempty"`
	// Steps are modes plus one; zero is a deadlock that stays as it is.
	Steps []byte `json:"steps"`
	// Times are the numbers of steps that fire more than once, with how often.
	Times [][2]int64 `json:"times,omitempty"`
	// Positions is the number of markings that are shown. The marking Loop, unless it is -1,
	// follows the last one.
	Positions int    `json:"positions"`
	Loop      int    `json:"loop"`
	Cycle     int    `json:"cycle"`           // steps of the cycle
	Grows     bool   `json:"grows,omitempty"` // the cycle adds tokens
	Ended     bool   `json:"ended,omitempty"` // by a deadlock
	Dead      string `json:"dead,omitempty"`
	Big       bool   `json:"big,omitempty"`
	// Atoms and Values are what is known of atoms and subformulas: numbers of positions in a
	// row, times four, plus what is known in them.
	Atoms  [][]byte `json:"atoms,omitempty"`
	Values [][]byte `json:"values,omitempty"`
	// Start is the state in which the automaton begins, and Edges are those that it takes.
	Start *automata.State `json:"start,omitempty"`
	Edges []byte          `json:"edges,omitempty"`
}

// block returns the replay as the page gets it, in short forms: lists of small numbers in bytes,
// and runs of equal truth values as a length and a value.
func (r *replay) block() *runBlock {
	b := &runBlock{
		From: r.run.From, At: r.run.At, Positions: r.positions, Loop: r.loop, Cycle: r.cycle,
		Grows: r.grows, Ended: r.ended, Dead: r.run.Dead, Big: r.big, Steps: []byte{},
	}
	for i, s := range r.steps {
		mode := uint64(s.Transition) + 1
		if s.Stays {
			mode = 0
		}
		b.Steps = binary.AppendUvarint(b.Steps, mode)
		if s.Times > 1 {
			b.Times = append(b.Times, [2]int64{int64(i), s.Times})
		}
	}
	for _, track := range r.atoms {
		b.Atoms = append(b.Atoms, pack(track))
	}
	for _, track := range r.values {
		b.Values = append(b.Values, pack(track))
	}
	if r.visited != nil {
		b.Start = &r.visited.start
		for _, e := range r.visited.edges {
			b.Edges = binary.AppendUvarint(b.Edges, uint64(e))
		}
	}
	return b
}

// length returns about how long the run is in JSON, where three bytes become four characters.
func (b *runBlock) length() int {
	n := len(b.Steps) + len(b.Edges) + 3*entryBytes*(1+len(b.Times))
	for _, tracks := range [][][]byte{b.Atoms, b.Values} {
		for _, track := range tracks {
			n += len(track) + entryBytes
		}
	}
	return n + n/3
}

// pack writes a track as stretches of equal values.
func pack(track []truth) []byte {
	packed := []byte{}
	for i := 0; i < len(track); {
		end := i
		for end < len(track) && track[end] == track[i] {
			end++
		}
		packed = binary.AppendUvarint(packed, uint64(end-i)*4+uint64(track[i]))
		i = end
	}
	return packed
}
