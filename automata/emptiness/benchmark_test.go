package emptiness

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/internal/automatatest"
)

// benchmarkOperands returns two automata with few edges a state, most of which meet, so
// that the search is about edges, and no row is grouped; and their alphabet.
func benchmarkOperands() (a, b *automata.Automaton, x automata.Alphabet) {
	one := func(seed uint64) *automata.Automaton {
		return automatatest.Random(automatatest.RandomSettings{
			States: 300, Propositions: []string{"a", "b", "c", "d"}, Density: 0.013, LiteralProbability: 0.2,
			Sets: 8, MarkProbability: 0.1,
		}, seed)
	}
	a, b = one(1), one(2)
	return a, b, automata.NewAlphabet(a.Propositions, b.Propositions, a, b)
}

// BenchmarkIntersectExhaustive goes through the whole product by the search as it is
// compiled for two explicit operands, for two lazy ones, and by one that calls an
// interface for each edge, as the implementation did that the report set out from.
func BenchmarkIntersectExhaustive(b *testing.B) {
	left, right, x := benchmarkOperands()
	perEdge := func(b *testing.B, edges int64) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(edges), "ns/edge")
	}
	// A bit that no edge has makes both conditions unsatisfiable.
	never := func(s *OperandSide) *OperandSide {
		s.condition.Formula()
		s.condition.Required[0] |= 1 << 63
		return s
	}
	b.Run("explicit", func(b *testing.B) {
		edges := int64(0)
		for b.Loop() {
			s := NewJointSearch[ExplicitKind, ExplicitKind](never(NewOperandSide(Explicit(left), &x, x.Left)),
				NewOperandSide(Explicit(right), &x, x.Right), Options{}, 0)
			if err := s.Run(); err != nil || s.Found {
				b.Fatal(s.Found, err)
			}
			edges += s.Edges
		}
		perEdge(b, edges)
	})
	b.Run("lazy", func(b *testing.B) {
		edges := int64(0)
		for b.Loop() {
			s := NewJointSearch[lazyKind, lazyKind](never(NewOperandSide(Lazy(lazyTwin{left}), &x, x.Left)),
				NewOperandSide(Lazy(lazyTwin{right}), &x, x.Right), Options{}, 0)
			if err := s.Run(); err != nil || s.Found {
				b.Fatal(s.Found, err)
			}
			edges += s.Edges
		}
		perEdge(b, edges)
	})
	b.Run("interface for each edge", func(b *testing.B) {
		edges := int64(0)
		for b.Loop() {
			s := &dynamicSearch{left: explicitEdges{left}, right: explicitEdges{right}, pairs: automata.NewPairs(left.States(), right.States())}
			s.run(left.Initial()[0], right.Initial()[0])
			edges += s.edges
		}
		perEdge(b, edges)
	})
}

// edgeIterator is what the dynamic twin asks for each edge.
type edgeIterator interface {
	Done() bool
	Next()
	First()
	Label() (care, value uint64)
	Marks() uint64
	Destination() automata.State
}

type edgeSource interface {
	Out(s automata.State) edgeIterator
}

type explicitEdges struct{ a *automata.Automaton }

func (x explicitEdges) Out(s automata.State) edgeIterator {
	first, end := x.a.Out(s)
	return &explicitIterator{x.a, first, first, end}
}

type explicitIterator struct {
	a              *automata.Automaton
	first, at, end automata.Edge
}

func (i *explicitIterator) Done() bool                  { return i.at == i.end }
func (i *explicitIterator) Next()                       { i.at++ }
func (i *explicitIterator) First()                      { i.at = i.first }
func (i *explicitIterator) Label() (care, value uint64) { c := i.a.Cube(i.at, 0); return c[0], c[1] }
func (i *explicitIterator) Marks() uint64               { return i.a.Marks(i.at)[0] }
func (i *explicitIterator) Destination() automata.State { return i.a.Destination(i.at) }

// dynamicSearch is the same search, by iterators behind an interface, for conditions
// that are never satisfied.
type dynamicSearch struct {
	left, right edgeSource
	pairs       *automata.Pairs
	dead        []bool
	live, roots []uint32
	marks, arcs [][2]uint64
	path        []dynamicFrame
	edges       int64
}

type dynamicFrame struct {
	number      uint32
	left, right edgeIterator
}

func (s *dynamicSearch) enter(n uint32, a, b automata.State, arc [2]uint64) {
	s.dead = append(s.dead, false)
	s.live, s.roots = append(s.live, n), append(s.roots, n)
	s.arcs, s.marks = append(s.arcs, arc), append(s.marks, [2]uint64{})
	s.path = append(s.path, dynamicFrame{n, s.left.Out(a), s.right.Out(b)})
}

func (f *dynamicFrame) next() bool {
	for ; !f.left.Done(); f.left.Next() {
		for ; !f.right.Done(); f.right.Next() {
			care, value := f.left.Label()
			otherCare, otherValue := f.right.Label()
			if (value^otherValue)&care&otherCare == 0 {
				return true
			}
		}
		f.right.First()
	}
	return false
}

func (s *dynamicSearch) run(a, b automata.State) {
	n, _ := s.pairs.Number(a, b)
	s.enter(n, a, b, [2]uint64{})
	for len(s.path) > 0 {
		f := &s.path[len(s.path)-1]
		if !f.next() {
			top := len(s.roots) - 1
			if s.roots[top] == f.number {
				for {
					m := s.live[len(s.live)-1]
					s.live = s.live[:len(s.live)-1]
					s.dead[m] = true
					if m == f.number {
						break
					}
				}
				s.roots, s.marks, s.arcs = s.roots[:top], s.marks[:top], s.arcs[:top]
			}
			s.path = s.path[:len(s.path)-1]
			continue
		}
		s.edges++
		marks := [2]uint64{f.left.Marks(), f.right.Marks()}
		to, other := f.left.Destination(), f.right.Destination()
		f.right.Next()
		m, isNew := s.pairs.Number(to, other)
		switch {
		case isNew:
			s.enter(m, to, other, marks)
		case !s.dead[m]:
			top := len(s.roots) - 1
			for s.roots[top] > m {
				for i := range marks {
					marks[i] |= s.marks[top][i] | s.arcs[top][i]
				}
				top--
			}
			s.roots, s.marks, s.arcs = s.roots[:top+1], s.marks[:top+1], s.arcs[:top+1]
			for i := range marks {
				s.marks[top][i] |= marks[i]
			}
		}
	}
}

func TestDynamicTwinSeesTheSameProduct(t *testing.T) {
	left, right, _ := benchmarkOperands()
	s := &dynamicSearch{left: explicitEdges{left}, right: explicitEdges{right}, pairs: automata.NewPairs(left.States(), right.States())}
	s.run(left.Initial()[0], right.Initial()[0])
	product, err := automata.Product(context.Background(), left, right)
	if err != nil {
		t.Fatal(err)
	}
	if s.pairs.Len() != product.States() || s.edges != int64(product.Edges()) || s.edges < 100000 {
		t.Errorf("%d pairs and %d edges, the product has %d and %d", s.pairs.Len(), s.edges, product.States(), product.Edges())
	}
}

// TestSearchCallsNoInterface looks at the machine code of the package: the search for
// explicit operands calls nothing through a pointer.
func TestSearchCallsNoInterface(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("reads the assembly of amd64 only")
	}
	if testing.Short() {
		t.Skip("compiles the package")
	}
	var listing bytes.Buffer
	compile := exec.Command("go", "build", "-gcflags=-S", ".")
	compile.Stderr = &listing
	if err := compile.Run(); err != nil {
		t.Skipf("no compiler: %v", err)
	}
	hot := regexp.MustCompile(`^pnmc/automata/emptiness\.\(\*JointSearch\[go\.shape\.\[([03])\]struct \{\},go\.shape\.\[([03])\]struct \{\}\]\)` +
		`\.(explore|next|nextRow|enter|push|close|isNews|loadMarks|retreat|pop|destination) STEXT`)
	function, functions, calls := "", 0, 0
	lines := bufio.NewScanner(&listing)
	for lines.Scan() {
		line := lines.Text()
		if strings.Contains(line, " STEXT") {
			if function = ""; hot.MatchString(line) {
				function = line
				functions++
			}
		}
		if function != "" && strings.Contains(line, "\tCALL\t") {
			calls++
			if !strings.Contains(line, "(SB)") {
				t.Errorf("%s\n%s", function, line)
			}
		}
	}
	if err := lines.Err(); err != nil || functions < 8 || calls < 20 {
		t.Errorf("%d functions and %d calls found (%v): the names have changed", functions, calls, err)
	}
}
