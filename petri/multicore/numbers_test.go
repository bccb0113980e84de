package multicore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// TestNumbersEnd: where threads use up the numbers of markings, that is the reason why they end.
func TestNumbersEnd(t *testing.T) {
	net := petritest.Kanban(3)
	defer multicore.MostNumbers(30_000)()
	s, err := multicore.Numbered(t.Context(), net, petri.Facts{}, petri.Budget{}, 3, nil)
	if !errors.Is(err, petri.ErrTooManyStates) || s.Complete || s.States > 30_000 {
		t.Errorf("exploring: %d states, %v", s.States, err)
	}
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	k.Begin(t.Context())
	g := multicore.Graph{Kripke: k, Threads: 3}
	if err := g.Together(t.Context()); !errors.Is(err, petri.ErrTooManyStates) {
		t.Errorf("a graph: %v", err)
	}
	on := multicore.NewKripke(net, petri.Facts{}, petri.Budget{}, 3)
	on.MostNumbers(30_000)
	if err := on.Run(t.Context(), t.Context(), expand); !errors.Is(err, petri.ErrTooManyStates) {
		t.Errorf("on the fly: %v", err)
	}
	// Markings that are counted need no numbers.
	layout := multicore.CountAfter(100)
	defer layout()
	if s, err := multicore.Explore(t.Context(), net, petri.Facts{}, petri.Budget{}, 3, nil); err != nil || s.States != 58_400 {
		t.Errorf("counting: %d states, %v", s.States, err)
	}
}

// expand asks for the successors of one marking after the other, as far as they have small numbers.
func expand(w *multicore.Walker) error {
	todo, met := []petri.StateID{0}, map[petri.StateID]bool{0: true}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		if err := w.Poll(); err != nil {
			return err
		}
		next, err := w.Successors(s)
		if err != nil {
			return err
		}
		for _, u := range next {
			if !met[u] {
				met[u] = true
				todo = append(todo, u)
			}
		}
	}
	return nil
}

// TestPlacesOfRowsEnd: rows in the last chunks that there are numbers for are found again. Where there are
// no more chunks, rows are not kept, but found each time.
func TestPlacesOfRowsEnd(t *testing.T) {
	net := petritest.Philosophers(9)
	k := multicore.NewKripke(net, petri.Facts{}, petri.Budget{}, 1)
	none := func(*multicore.Walker) error { return nil }
	if err := k.Run(t.Context(), context.Background(), none); err != nil {
		t.Fatal(err)
	}
	k.UseUpRows(1)
	rows := map[petri.StateID][]petri.StateID{}
	for range 2 { // found, and found again
		err := k.Run(t.Context(), context.Background(), func(w *multicore.Walker) error {
			todo := []petri.StateID{0}
			met := map[petri.StateID]bool{0: true}
			for ; len(todo) > 0; todo = todo[1:] {
				next, err := w.Successors(todo[0])
				if err != nil {
					return err
				}
				if row, known := rows[todo[0]]; known && !slices.Equal(row, next) {
					t.Fatalf("%v after %d, before it was %v", next, todo[0], row)
				}
				rows[todo[0]] = slices.Clone(next)
				for _, u := range rows[todo[0]] {
					if !met[u] {
						met[u] = true
						todo = append(todo, u)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for s := range rows {
		if k.Kept(s) != nil {
			kept++
		}
	}
	if kept == 0 || kept == len(rows) {
		t.Errorf("%d of %d rows are kept", kept, len(rows))
	}
}

// TestPartsEnd: where the numbers of parts of long markings are used up, that is the reason why counting ends.
func TestPartsEnd(t *testing.T) {
	net := petritest.Philosophers(11)
	layout, _ := net.InitialLayout(new(account.Account), petri.Facts{})
	if layout.Words() < 2 {
		t.Fatalf("a marking has %d words", layout.Words())
	}
	defer multicore.MostNumbers(3_000)()
	for _, threads := range []int{1, 3} {
		s, err := multicore.Count(t.Context(), net, petri.Facts{}, petri.Budget{}, threads, nil)
		if !multicore.TooManyParts(err) || s.Complete || s.States == 0 {
			t.Errorf("%d threads: %d markings, %v", threads, s.States, err)
		}
	}
}
