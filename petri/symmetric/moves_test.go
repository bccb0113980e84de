package symmetric

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/automatatest"
)

// naiveMovesOf goes through the whole list for each arc.
func naiveMovesOf(t *Transition) []move {
	var list []move
	find := func(place int) *move {
		for k := range list {
			if list[k].place == place {
				return &list[k]
			}
		}
		list = append(list, move{place: place})
		return &list[len(list)-1]
	}
	for k := range t.Pre {
		m := find(t.Pre[k].Place)
		m.pre = append(m.pre, &t.Pre[k])
	}
	for k := range t.Post {
		m := find(t.Post[k].Place)
		m.post = append(m.post, &t.Post[k])
	}
	for k := range list {
		m := &list[k]
		if len(m.pre) == 1 && len(m.post) == 1 {
			m.idle = slices.EqualFunc(m.pre[0].Expression, m.post[0].Expression, func(a, b Monomial) bool {
				return a.Coefficient == b.Coefficient && slices.Equal(a.Terms, b.Terms)
			})
		}
	}
	return list
}

// TestMovesOfRandomTransitions compares moves with those that are found by going through all, and
// sees that the scratch is left as it was.
func TestMovesOfRandomTransitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := randomNet(t)
		at := make([]int32, len(net.Places))
		for i := range net.Transitions {
			got, want := movesOf(&net.Transitions[i], at), naiveMovesOf(&net.Transitions[i])
			if !reflect.DeepEqual(got, want) || slices.Max(at) != 0 {
				t.Fatalf("moves %+v, want %+v; scratch %v", got, want, at)
			}
		}
	})
}

// TestManyArcsAreLookedAt: a transition with many arcs, to a place each, is begun within the limits of
// the context.
func TestManyArcsAreLookedAt(t *testing.T) {
	const arcs = 4 * unlooked
	net := &Net{Transitions: []Transition{{ID: "t"}, {ID: "u"}}}
	one := Expression{{Coefficient: 1}}
	for i := range arcs {
		net.Places = append(net.Places, Place{ID: fmt.Sprint("p", i)})
		for k := range net.Transitions {
			net.Transitions[k].Post = append(net.Transitions[k].Post, Arc{Place: i, Expression: one})
		}
	}
	automatatest.EndsAtEachLook(t, "moves", 4, func(ctx context.Context) (any, error) {
		u := newUnfolder(ctx, net, Options{})
		return len(u.moves[1]), u.err
	})
}
