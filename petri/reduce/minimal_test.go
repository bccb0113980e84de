package reduce

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pnmc/petri"
)

// parseNet makes a net of a text as it is told by netText: places with their tokens, then
// transitions with what they take and give. Those of !p are inhibited by a token of p, and those
// of ~p empty it.
func parseNet(t *testing.T, text string) *petri.Net {
	t.Helper()
	b := &petri.Builder{ID: "minimal"}
	parts := strings.Split(text, ";")
	places := map[string]petri.Place{}
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, word := range strings.Fields(parts[0]) {
		id, tokens, _ := strings.Cut(word, "=")
		p, err := b.AddPlace(id, "", number(tokens))
		if err != nil {
			t.Fatal(err)
		}
		places[id] = p
	}
	for _, part := range parts[1:] {
		id, arcs, _ := strings.Cut(part, ":")
		u, err := b.AddTransition(strings.TrimSpace(id), "")
		if err != nil {
			t.Fatal(err)
		}
		before, after, _ := strings.Cut(arcs, "->")
		for i, side := range []string{before, after} {
			for _, word := range strings.Fields(side) {
				weight, id, many := strings.Cut(strings.Trim(word, "!~"), "*")
				if !many {
					weight, id = "1", weight
				}
				p, known := places[id]
				if !known {
					t.Fatalf("no place %q", id)
				}
				switch {
				case word[0] == '!':
					err = errors.Join(err, b.AddInhibitor(p, u, 1))
				case word[0] == '~':
					err = errors.Join(err, b.AddReset(p, u))
				case i == 0:
					err = errors.Join(err, b.AddInput(p, u, number(weight)))
				default:
					err = errors.Join(err, b.AddOutput(u, p, number(weight)))
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// netText prints a net.
func netText(net *petri.Net) string {
	var text strings.Builder
	for p := range petri.Place(net.Places()) {
		fmt.Fprintf(&text, " %s=%d", net.PlaceLabel(p).ID, net.InitialTokens(p))
	}
	arcs := func(list []petri.Arc) {
		for _, a := range list {
			if text.WriteByte(' '); a.Weight > 1 {
				fmt.Fprintf(&text, "%d*", a.Weight)
			}
			text.WriteString(net.PlaceLabel(a.Place).ID)
		}
	}
	for u := range petri.Transition(net.Transitions()) {
		fmt.Fprintf(&text, "; %s:", net.TransitionLabel(u).ID)
		arcs(net.Pre(u))
		for _, c := range net.Ceilings(u) {
			text.WriteString(" !" + net.PlaceLabel(c.Place).ID)
		}
		text.WriteString(" ->")
		arcs(net.Post(u))
		for _, p := range net.Resets(u) {
			text.WriteString(" ~" + net.PlaceLabel(p).ID)
		}
	}
	return strings.TrimSpace(text.String())
}

// minimal has examples of rules: what each makes of a net by itself, and of one to which it must
// not apply. Places whose names begin with a capital letter are protected.
var minimal = []struct{ rule, before, after string }{
	{"ample places", "p=2 q=1; t: 2*p q -> 3*p", "q=1; t: q ->"},
	{"ample places", "p=1 q=1; t: 2*p q -> 3*p", "p=1 q=1; t: 2*p q -> 3*p"},
	{"ample places", "p=2 q=1; t: p q -> 2*p; u: 2*p -> p", "p=2 q=1; t: p q -> 2*p; u: 2*p -> p"},
	{"sources", "p=1 Q=0; t: p ->; u: -> Q; v: Q -> p", "Q=0; u: -> Q"},
	{"idle transitions beside others", "p=1; t: p -> p; u: p ->", "p=1; u: p ->"},
	{"idle transitions beside others", "p=1; t: p -> p; u: 2*p ->", "p=1; t: p -> p; u: 2*p ->"},
	{"idle transitions beside others", "p=1 q=1; t: p q -> p q; u: 2*p ->", "p=1 q=1; t: p q -> p q; u: 2*p ->"},
	{"idle transitions beside others", "p=1 q=1; t: p -> p ~q; u: p -> q", "p=1 q=1; t: p -> p ~q; u: p -> q"},
	{"agglomeration after", "p=2 q=0; t: p -> 3*q; u: 2*q -> q", "q=6; u: 2*q -> q"},
	{"agglomeration after", "p=2 Q=0; t: p -> Q", "p=2 Q=0; t: p -> Q"},
	{"agglomeration before", "a=1 p=0 r=1 q=0; h: a r -> p r; f: p -> q", "a=1 r=1 q=0; h.f: a r -> r q"},
	{"agglomeration before", "a=1 p=0 r=1 q=0; h: a r -> p r; f: p r -> q", "a=1 p=0 r=1 q=0; h: a r -> p r; f: p r -> q"},
	{"agglomeration before", "a=1 p=0 r=1 q=0; h: a r -> p r; f: p -> q; u: a ->", "a=1 p=0 r=1 q=0; h: a r -> p r; f: p -> q; u: a ->"},
	{"agglomeration before", "p=0 r=1 q=0; h: r -> p r; f: p -> q", "p=0 r=1 q=0; h: r -> p r; f: p -> q"},
	{"free agglomeration", "a=1 p=0 r=1 Q=0; h: a r -> p r; f: p r -> Q; u: r ->", "a=1 r=1 Q=0; u: r ->; h.f: a r -> Q"},
	{"free agglomeration", "a=1 p=0 r=1 Q=0; h: a r -> p r; f: p -> Q; u: r ->", "a=1 p=0 r=1 Q=0; h: a r -> p r; f: p -> Q; u: r ->"},
	{"free agglomeration", "a=1 p=0 r=2 Q=0; h: a 2*r -> p 2*r; f: p r -> Q; u: r ->", "a=1 p=0 r=2 Q=0; h: a 2*r -> p 2*r; f: p r -> Q; u: r ->"},
	{"free agglomeration", "a=1 p=0 r=2 Q=0; h: a r -> p r; f: p -> Q; u: 2*r -> r", "a=1 r=2 Q=0; u: 2*r -> r; h.f: a r -> r Q"},
	{"free agglomeration", "a=1 p=0 r=1 Q=0; h: a r -> p 2*r; f: p r -> Q", "a=1 p=0 r=1 Q=0; h: a r -> p 2*r; f: p r -> Q"},
	{"free agglomeration", "a=1 p=0 r=1 Q=0; h: a r -> p r; f: p -> Q; u: a -> a ~r", "a=1 p=0 r=1 Q=0; h: a r -> p r; f: p -> Q; u: a -> a ~r"},
	{"partial agglomeration", "a=1 b=1 p=0 Q=0; h: a -> p; g: b -> 2*p; f: p -> Q", "a=1 b=1 p=0 Q=0; g: b -> 2*p; f: p -> Q; h.f: a -> Q"},
	{"partial agglomeration", "a=1 p=1 c=1 Q=0; h: a -> 2*p; f: 2*p c -> Q", "a=1 p=1 c=1 Q=0; f: 2*p c -> Q; h.f: a c -> Q"},
	{"partial agglomeration", "a=1 p=1 Q=0; h: a -> p; f: 2*p -> Q", "a=1 p=1 Q=0; h: a -> p; f: 2*p -> Q"},
	{"partial agglomeration", "a=1 p=1 Q=0; h: a -> p; f: 2*p -> p Q", "a=1 p=1 Q=0; h: a -> p; f: 2*p -> p Q"},
	{"partial agglomeration", "A=1 p=1 q=0; h: A -> p; f: p -> q", "A=1 p=1 q=0; h: A -> p; f: p -> q"},
	{"cycles of places", "p=1 q=2 r=0; t: p -> q; u: q -> p; v: 2*q -> r", "p=3 r=0; v: 2*p -> r; p.around: p -> p"},
	{"cycles of places", "p=1 q=2; t: p -> q; u: 2*q -> 2*p", "p=1 q=2; t: p -> q; u: 2*q -> 2*p"},
	{"composed transitions", "p=1 q=0 r=0; t: p -> q; u: q -> 2*r; v: p -> 2*r", "p=1 q=0 r=0; t: p -> q; u: q -> 2*r"},
	{"composed transitions", "p=1 q=0; t: p -> 2*p; v: p -> 3*p", "p=1 q=0; t: p -> 2*p"},
	{"composed transitions", "p=1 q=0 r=0; t: 2*p -> p q; u: q -> 2*r; v: p -> 2*r", "p=1 q=0 r=0; t: 2*p -> p q; u: q -> 2*r; v: p -> 2*r"},
	{"composed transitions", "p=1 q=0 r=0 s=1; t: p -> q; u: q !s -> r; v: p -> r", "p=1 q=0 r=0 s=1; t: p -> q; u: q !s -> r; v: p -> r"},
	{"composed transitions", "p=1 q=0 r=0 s=1; t: p -> q; u: q -> r; v: p -> r ~s", "p=1 q=0 r=0 s=1; t: p -> q; u: q -> r; v: p -> r ~s"},
	{"implied places", "a=1 p=0 q=0 r=0; t: a -> p q; u: q -> r; v: p r -> a", "a=1 q=0 r=0; t: a -> q; u: q -> r; v: r -> a"},
	{"implied places", "a=1 p=0 q=0 r=1; t: a -> p q; u: q -> r; v: p r -> a", "a=1 p=0 q=0 r=1; t: a -> p q; u: q -> r; v: p r -> a"},
	{"implied places", "a=1 P=0 q=0 r=0; t: a -> P q; u: q -> r; v: P r -> a", "a=1 P=0 q=0 r=0; t: a -> P q; u: q -> r; v: P r -> a"},
	{"equal places", "p=1 q=0 r=3; t: p r -> q 2*r; u: q 2*r -> p r", "p=1 q=0; t: p -> q; u: q -> p"},
	{"equal places", "p=1 q=0; t: p -> q; u: q -> p", "p=1 q=0; t: p -> q; u: q -> p"},
	{"fed places", "p=2 q=0 r=0; t: p -> q; u: 2*q -> r", "p=2 r=0; u: 2*p -> r"},
	{"fed places", "p=2 q=1 r=0; t: p -> q; u: 2*q -> r", "p=2 q=1 r=0; t: p -> q; u: 2*q -> r"},
	{"fed places", "p=2 q=0 r=0; t: p -> q; u: 2*q -> q r", "p=2 q=0 r=0; t: p -> q; u: 2*q -> q r"},
	{"ending part", "p=1 q=0 r=1 s=0; t: p -> q; u: q r -> r; v: r -> r s", "r=1; v: r -> r"},
	{"ending part", "p=2 q=0; t: p q -> q; u: p -> 2*q", ""},
	{"ending part", "p=1 q=0 r=1; t: p -> q ~r; u: r -> r", "p=1 r=1; t: p -> ~r; u: r -> r"},
	{"ending part", "p=1 q=0; t: p -> q; u: q -> p", "p=1 q=0; t: p -> q; u: q -> p"},
	{"ending part", "p=2 q=0; t: 2*p -> p q; u: q -> p", "p=2 q=0; t: 2*p -> p q; u: q -> p"},
	{"ending part", "p=2 r=1; t: p r ->; u: r -> r", "p=2 r=1; t: p r ->; u: r -> r"},
}

func TestMinimalExamples(t *testing.T) {
	for _, m := range minimal {
		net := parseNet(t, m.before)
		if got := netText(net); got != m.before {
			t.Fatalf("%q is read as %q", m.before, got)
		}
		protected := make([]bool, net.Places())
		for p := range protected {
			id := net.PlaceLabel(petri.Place(p)).ID
			protected[p] = id != strings.ToLower(id)
		}
		d := newDraft(t.Context(), net, protected)
		for rule, r := range rules {
			if r.name == m.rule {
				if r.preserves == Counting {
					d.keepCounts()
				}
				for r.apply(d, rule) > 0 {
				}
			}
		}
		r, err := d.finish(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := netText(r.Net); got != m.after {
			t.Errorf("%s: %q becomes %q, expected %q", m.rule, m.before, got, m.after)
		}
	}
}
