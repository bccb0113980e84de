package petri

import (
	"pnmc/internal/account"
	"pnmc/petri/internal/store"
)

// Game is the token game on markings packed by a layout, for explorations that have stores of
// their own. It does not change: several threads may play it, each with a Player.
type Game struct{ firing *firing }

// Game makes the token game of the layout's net, which is charged to a. An error is that of the account.
func (l *Layout) Game(a *account.Account) (*Game, error) {
	f, err := compileFiring(a, l)
	if err != nil {
		return nil, err
	}
	return &Game{f}, nil
}

// Layout returns how markings are packed.
func (g *Game) Layout() *Layout { return g.firing.layout }

// Work returns about what it costs to try all transitions in a marking, in nanoseconds.
func (g *Game) Work() int { return g.firing.tryWork() + 8*g.firing.layout.words }

// Player fires the transitions of one marking after the other. Not safe for concurrent use, and
// written to for each marking: it is best copied to where no other thread writes.
type Player struct {
	firing  *firing
	implied []int64
	cursor  cursor
}

// Player returns a new one, who has no marking yet.
func (g *Game) Player() *Player {
	return &Player{firing: g.firing, implied: store.Apart[int64](len(g.firing.layout.implied))}
}

// Begin begins with a marking. It is to be given to Successors until Done.
func (p *Player) Begin() { p.cursor = cursor{} }

// Done reports whether all transitions were tried.
func (p *Player) Done() bool { return p.cursor.done(p.firing) }

// Successors appends packed markings to out that follow packed, one for each enabled
// transition, from those not tried yet, until there are many or all were tried. It returns the
// number of a field that is too narrow for one of them, or -1; out is then what it was.
func (p *Player) Successors(packed []uint64, out *[]uint64) int {
	start := len(*out)
	narrow := p.firing.successors(packed, p.implied, out, &p.cursor)
	if narrow >= 0 {
		*out = (*out)[:start]
	}
	return narrow
}
