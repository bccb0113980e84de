package symbolic_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"strings"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
	"pnmc/symbolic"
)

// netOf builds a net from lines "transition: place place -> place" and the
// places that hold tokens at first.
func netOf(t testing.TB, initial map[string]int64, lines ...string) *petri.Net {
	t.Helper()
	b, _ := builderOf(t, initial, lines...)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// builderOf returns the builder of netOf, and the number of its places.
func builderOf(t testing.TB, initial map[string]int64, lines ...string) (*petri.Builder, int) {
	t.Helper()
	var b petri.Builder
	places := map[string]petri.Place{}
	place := func(name string) petri.Place {
		p, ok := places[name]
		if !ok {
			var err error
			if p, err = b.AddPlace(name, name, initial[name]); err != nil {
				t.Fatal(err)
			}
			places[name] = p
		}
		return p
	}
	for _, line := range lines {
		name, arcs, _ := strings.Cut(line, ":")
		pre, post, _ := strings.Cut(arcs, "->")
		transition, err := b.AddTransition(name, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range strings.Fields(pre) {
			if err := b.AddInput(place(p), transition, 1); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range strings.Fields(post) {
			if err := b.AddOutput(transition, place(p), 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &b, len(places)
}

func TestPublishedSizes(t *testing.T) {
	power := func(base, exponent int64) string {
		return new(big.Int).Exp(big.NewInt(base), big.NewInt(exponent), nil).String()
	}
	for _, c := range []struct {
		name                      string
		net                       *petri.Net
		states, firings, perState string
		perPlace                  uint32
	}{
		{"kanban 5", petritest.Kanban(5), "2546432", "24460016", "20", 5},
		{"kanban 50", petritest.Kanban(50), "10425941194901336", "", "200", 50},
		{"philosophers 5", petritest.Philosophers(5), "243", "945", "10", 1},
		{"philosophers 100", petritest.Philosophers(100), power(3, 100), "", "200", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := symbolic.Explore(t.Context(), c.net, symbolic.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.States().String(); got != c.states {
				t.Errorf("%s states, want %s", got, c.states)
			}
			if got, err := s.Firings(t.Context()); err != nil || c.firings != "" && got.String() != c.firings {
				t.Errorf("%v firings (%v), want %s", got, err, c.firings)
			}
			if got, err := s.LargestMarking(); err != nil || got.String() != c.perState {
				t.Errorf("largest marking %v (%v), want %s", got, err, c.perState)
			}
			if got := s.LargestValue(); got != c.perPlace {
				t.Errorf("at most %d tokens in a place, want %d", got, c.perPlace)
			}
		})
	}
}

// TestUnbounded ends with what is known of a net that has no bound.
func TestUnbounded(t *testing.T) {
	net := netOf(t, map[string]int64{"a": 1}, "t: a -> a b", "u: b -> c c")
	s, err := symbolic.Explore(t.Context(), net, symbolic.Options{Memory: 8 << 20})
	if err == nil || s == nil || s.Complete {
		t.Fatalf("space %+v, error %v", s, err)
	}
	b, _ := net.PlaceByID("b")
	if s.Bounds[b] == 0 {
		t.Error("nothing is known of place b")
	}
}

// TestTooManyTokens checks counts that do not fit a diagram.
func TestTooManyTokens(t *testing.T) {
	net := netOf(t, map[string]int64{"a": 1 << 40}, "t: a -> b")
	if _, err := symbolic.Explore(t.Context(), net, symbolic.Options{}); err == nil {
		t.Error("2^40 tokens were taken")
	}
}

// contestNets are instances whose state spaces the contest knows, small enough
// for a test.
var contestNets = []string{
	"AirplaneLD-PT-0010", "CircadianClock-PT-000100", "CloudOpsManagement-PT-00002by00001",
	"DLCround-PT-12a", "DNAwalker-PT-10ringRL", "DrinkVendingMachine-PT-02", "ERK-PT-000001",
	"FMS-PT-00005", "HealthRecord-PT-01", "HirschbergSinclair-PT-05", "IBM319-PT-none", "IBM5964-PT-none",
	"IBM703-PT-none", "IOTPpurchase-PT-C01M01P01D01", "Kanban-PT-00005", "MAPK-PT-00008", "NQueens-PT-05",
	"Philosophers-PT-000010", "Philosophers-PT-000200", "Raft-PT-02", "Referendum-PT-0010",
	"RobotManipulation-PT-00001", "SquareGrid-PT-020102", "TokenRing-PT-005", "TwoPhaseLocking-PT-nC00004vD",
}

func TestContestOracle(t *testing.T) {
	for _, name := range contestNets {
		t.Run(name, func(t *testing.T) {
			net, err := pnml.Reader{}.ReadFile(petritest.ContestModel(t, name))
			if err != nil {
				t.Fatal(err)
			}
			s, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
			if err != nil {
				t.Fatal(err)
			}
			oracle, err := os.ReadFile(petritest.Shared(t, "mcc", "oracle", name+"-SS.out"))
			if err != nil {
				t.Fatal(err)
			}
			marking, err := s.LargestMarking()
			if err != nil {
				t.Fatal(err)
			}
			firings, err := s.Firings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for key, got := range map[string]string{
				"STATES":                s.States().String(),
				"TRANSITIONS":           firings.String(),
				"MAX_TOKEN_PER_MARKING": marking.String(),
				"MAX_TOKEN_IN_PLACE":    fmt.Sprint(s.LargestValue()),
			} {
				want := regexp.MustCompile(`STATE_SPACE ` + key + ` (\d+)`).FindSubmatch(oracle)
				if want == nil {
					t.Fatalf("the oracle has no %s", key)
				}
				if got != string(want[1]) {
					t.Errorf("%s %s, want %s", key, got, want[1])
				}
			}
		})
	}
}

func ExampleExplore() {
	var b petri.Builder
	free, _ := b.AddPlace("free", "", 3)
	busy, _ := b.AddPlace("busy", "", 0)
	start, _ := b.AddTransition("start", "")
	b.AddInput(free, start, 1)
	b.AddOutput(start, busy, 1)
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	s, err := symbolic.Explore(context.Background(), net, symbolic.Options{})
	if err != nil {
		panic(err)
	}
	marking, _ := s.LargestMarking()
	firings, _ := s.Firings(context.Background())
	fmt.Println(s.States(), "states,", firings, "firings, at most", marking, "tokens,", s.LargestValue(), "in a place")
	// Output: 4 states, 3 firings, at most 3 tokens, 3 in a place
}

func ExampleForest_WriteDOT() {
	f := symbolic.NewForest(2, 0)
	a, _ := f.Singleton([]uint32{0, 1})
	f.Keep(a)
	b, _ := f.Singleton([]uint32{1, 0})
	n, _ := f.Union(a, b)
	if err := f.WriteDOT(os.Stdout, n, []string{"low", "high"}); err != nil {
		panic(err)
	}
	// Output:
	// digraph {
	//   node [shape=box]
	//   { rank=same n6 [label="high"] }
	//   n6 -> n4 [label=0]
	//   n6 -> n2 [label=1]
	//   { rank=same n2 [label="low"] n4 [label="low"] }
	//   n2 -> n1 [label=0]
	//   n4 -> n1 [label=1]
	//   n1 [label="1"]
	// }
}

func BenchmarkExplore(b *testing.B) {
	for _, c := range []struct {
		name   string
		net    *petri.Net
		states string
	}{
		{"Kanban-50", petritest.Kanban(50), "10425941194901336"},
		{"Philosophers-20", petritest.Philosophers(20), "3486784401"},
	} {
		for _, method := range []string{"saturation", "chaining"} {
			b.Run("model="+c.name+"/method="+method, func(b *testing.B) {
				if method == "chaining" && c.name == "Kanban-50" {
					b.Skip("takes minutes")
				}
				o := symbolic.Options{}
				if method == "chaining" {
					o.Method = symbolic.Chaining
				}
				for b.Loop() {
					s, err := symbolic.Explore(b.Context(), c.net, o)
					if err != nil || s.States().String() != c.states {
						b.Fatal(err, s.States())
					}
				}
			})
		}
	}
}
