package emptiness

import "pnmc/automata"

// Joint successors of a pair of states: the pairs of edges, one of each side, whose
// labels have a valuation in common (Algorithm 4.2 of the report).
//
// Rows of an explicit right side are grouped, see automata.Rows, so that the
// partners of a row are looked up instead of gone through. All rows of a Kripke
// structure's state have one label, whose partners are looked up once.

// push puts a pair on the path.
func (s *JointSearch[L, R]) push(n, a, b uint32) (err error) {
	f := jointFrame{number: n, left: a, right: b}
	if f.row, err = enter[L](s.left, a); err != nil {
		return err
	}
	if f.partner, err = enter[R](s.right, b); err != nil {
		return err
	}
	s.path = append(s.path, f)
	return nil
}

// pop takes the last pair off the path.
func (s *JointSearch[L, R]) pop() {
	leave[L](s.left)
	leave[R](s.right)
	s.path = s.path[:len(s.path)-1]
}

// enter makes the successors of a state of one side known, and returns the first row at which a
// search stands; of a Kripke structure, the end, as no partner is known yet.
func enter[K OperandKind](side *OperandSide, state uint32) (row uint32, err error) {
	var k K
	switch len(k) {
	case isScanned:
		first, _ := side.operand.explicit.Out(automata.State(state))
		return uint32(first), nil
	case isExplicit:
		side.layOut(automata.State(state))
		return side.index.Start[state], nil
	case isKripke:
		if err := side.enterKripke(state); err != nil {
			return 0, err
		}
		return side.spans[len(side.spans)-1].end, nil
	}
	if err := side.enterLazy(state); err != nil {
		return 0, err
	}
	return side.spans[len(side.spans)-1].first, nil
}

// leave forgets the successors of the state that was entered last, where they are kept by state.
func leave[K OperandKind](side *OperandSide) {
	var k K
	switch len(k) {
	case isLazy:
		side.leaveLazy()
	case isKripke:
		side.leaveKripke()
	}
}

// next makes the next joint edge of the last pair on the path the current one,
// and reports whether there is one.
//
// The frame of a pair has the row at which its search stands, and the partner behind the last one
// that met it. For example, row 0 of the left state meets partner 1 of the right one: the frame
// becomes (0, 2), and the pair that the two lead to may be pushed and searched as a whole. When
// the search is back, it goes on with row 0 and partner 2. So no list of joint edges is ever
// made.
func (s *JointSearch[L, R]) next(f *jointFrame) bool {
	var l L
	if len(l) == isScanned {
		return s.nextScanned(f)
	}
	if len(l) == isKripke {
		p := s.left.spans[len(s.left.spans)-1]
		if f.row == p.end {
			if !s.match(f, s.leftRow()) {
				return false
			}
			f.row = p.first
			if f.row == p.end {
				return false
			}
		}
		s.row, s.partner = f.row, f.partner-1
		f.row++
		return true
	}
	return s.nextRow(f)
}

// nextScanned reports what next does, for two explicit sides whose edges are compared where
// they are, each with each. It reports false, too, when it has compared as many as it may.
func (s *JointSearch[L, R]) nextScanned(f *jointFrame) bool {
	a, b := s.left.operand.explicit, s.right.operand.explicit
	_, end := a.Out(automata.State(f.left))
	start, last := b.Out(automata.State(f.right))
	e, g := automata.Edge(f.row), automata.Edge(f.partner)
	for ; e < end && s.poll.labels >= 0; e++ {
		s.poll.labels -= int64(last - g)
		if g = a.NextMeeting(e, b, g, last); g < last {
			f.row, f.partner, s.row, s.partner = uint32(e), uint32(g+1), uint32(e), uint32(g)
			return true
		}
		g = start
	}
	f.row, f.partner = uint32(e), uint32(g)
	return false
}

// nextRow reports what next does, for a left side that has rows. It takes the rows of the left
// state from f.row on. It joins each with the rows of the right state that may meet it; for the
// first of them, those before f.partner are done. All is in one loop, since most of the time is
// spent here.
func (s *JointSearch[L, R]) nextRow(f *jointFrame) bool {
	var l L
	var r R
	i, end := f.row, uint32(0)
	if len(l) == isExplicit {
		end = s.left.index.End[f.left]
	} else {
		end = s.left.spans[len(s.left.spans)-1].end
	}
	var start, wild uint32
	if len(r) == isExplicit {
		start, wild = s.right.index.Start[f.right], s.right.index.Wild[f.right]
	} else {
		p := s.right.spans[len(s.right.spans)-1]
		start, wild = p.first, p.end
	}
	rows, partners := s.left.rows, s.right.rows
	j, wide := f.partner, s.left.restWords > 0
	for ; i < end; i++ {
		row := &rows[i]
		for ; j < wild; j++ {
			if row.Meets(&partners[j]) && (!wide || s.restMeets(i, j)) {
				f.row, f.partner, s.row, s.partner = i, j+1, i, j
				return true
			}
		}
		if len(r) == isExplicit {
			first, last := s.right.index.Candidates(automata.State(f.right), row)
			for j = max(j, first); j < last; j++ {
				if row.Meets(&partners[j]) && (!wide || s.restMeets(i, j)) {
					f.row, f.partner, s.row, s.partner = i, j+1, i, j
					return true
				}
			}
		}
		j = start
	}
	f.row = i
	return false
}

// match moves f.partner behind the next row of the right side whose label meets
// that of a row of the left, here the only one, and reports whether there is one.
func (s *JointSearch[L, R]) match(f *jointFrame, i uint32) bool {
	var r R
	row := &s.left.rows[i]
	var wild, first, end uint32
	if len(r) == isExplicit {
		wild = s.right.index.Wild[f.right]
		first, end = s.right.index.Candidates(automata.State(f.right), row)
	} else {
		wild = s.right.spans[len(s.right.spans)-1].end
		first, end = wild, wild
	}
	rows := s.right.rows
	j := f.partner
	for ; j < wild; j++ {
		if row.Meets(&rows[j]) && (s.left.restWords == 0 || s.restMeets(i, j)) {
			f.partner = j + 1
			return true
		}
	}
	for j = max(j, first); j < end; j++ {
		if row.Meets(&rows[j]) && (s.left.restWords == 0 || s.restMeets(i, j)) {
			f.partner = j + 1
			return true
		}
	}
	return false
}
