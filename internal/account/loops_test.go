package account_test

import (
	"bufio"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/unlimited.txt, without reasons for what is new")

// apart are folders that do not work on input of any size while a limit runs: tools for tests, for
// releases and for making hostile input.
var apart = []string{
	"checker/internal/checkertest", "checker/internal/core/coretest", "internal/atwork", "internal/automatatest", "internal/batchtest",
	"internal/browser", "internal/cluster/slurmtest", "internal/petritest", "internal/release", "internal/smtlib/smtlibtest", "internal/torture", "logic/internal/logictest",
}

// folders returns the folders of the module that have files of its packages, but for those apart.
func folders(t *testing.T) []string {
	var list []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		folder := strings.TrimPrefix(path, "../../")
		if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") && name != ".." || slices.Contains(apart, folder) {
			return filepath.SkipDir
		}
		if files, err := filepath.Glob(filepath.Join(path, "*.go")); err != nil || len(files) > 0 {
			list = append(list, folder)
			return err
		}
		return nil
	})
	if err != nil || len(list) < 80 {
		t.Fatalf("%d folders, %v", len(list), err)
	}
	return list
}

// golden lists functions that loop beyond one pass and ask no limit there, each with the
// reason why that is right.
const golden = "testdata/unlimited.txt"

// TestLoopsHaveLimits finds functions with a loop that may go on for long:
//
//   - one without a bound in its head (for { … }), on a condition that nothing in it comes nearer to
//     (for cond { … }), on one that a list leads to (for i != x { i = next[i] }), over a queue that grows while it
//     is gone through, or made by a goto,
//   - one as often as there are subsets (1 << n), or as a number of the input says, such as a weight,
//   - three loops one within another, or two over states, edges, markings, places, transitions, arcs or formulas,
//   - a search of package slices in a list, within a loop over these,
//   - or a call of the function itself, or of a function in a local variable by itself, that is given no part of what
//     the function was given.
//
// A loop within another does not count if it goes through a part of what the outer one is at: for the
// edges of each state, both together are one pass over the automaton. Neither does a loop over what
// the text lists.
//
// In such a loop a limit must be asked: a method of a context or account is called, or a function that
// is given one, or one of the package that does so. A parameter alone is not enough, nor is a context that is made of
// another one. In loops one within another the one before the last may ask. The other functions are those of the golden
// file, no more and no less.
//
// What this can't see:
//
//   - types of other packages but those in limits, functions in parameters, and functions that call each other, also
//     in local variables; a walk over a graph that calls itself with a neighbour looks like one over a tree,
//   - a call of an own function that goes through a list, within a loop: both together may take the square,
//   - numbers of the input and lists of states that are called otherwise, such as n or list,
//   - how much work lies between two looks, and whether what is given a context asks it; a receive from any channel
//     counts as asking, since who waits does not work.
func TestLoopsHaveLimits(t *testing.T) {
	found := make(map[string]string) // position by name
	for _, folder := range folders(t) {
		files, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		p := newPackage()
		for _, path := range files {
			if !strings.HasSuffix(path, "_test.go") {
				if err := p.read(path, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		for name, at := range p.unlimited() {
			found[folder+" "+name] = at
		}
	}
	accepted := readReasons(t)
	if *update {
		writeReasons(t, found, accepted)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if accepted[name] == "" {
			t.Errorf("%s: %s loops without a limit: give it a context or an account, or a reason in %s", found[name], name, golden)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		if _, there := found[name]; !there {
			t.Errorf("%s: %s has a limit by now, or is gone: take it out", golden, name)
		}
	}
}

// TestLongLoopsAreFound looks at loops of each kind, of which some ask a limit.
func TestLongLoopsAreFound(t *testing.T) {
	p := newPackage()
	if err := p.read("source.go", `package source
		func edges(states [][]int) (n int) { for _, state := range states { for _, edge := range state { n += edge } }; return n }
		func LongPairs(states []int) (n int) { for _, s := range states { for _, q := range states { n += s^q } }; return n }
		func LongUpTo(states []int) (n int) { for i := range states { for place := 0; place < i; place++ { n += place } }; return n }
		func LongCube(n int) (s int) { for i := 0; i < n; i++ { for j := 0; j < n; j++ { for k := 0; k < n; k++ { s += i^j^k } } }; return s }
		func words(n int) (s int) { for i := range n { for j := range 64 { for _, k := range []int{1, 2} { s += i^j^k } } }; return s }
		func LongCalls(states []int, s int) int { if s == 0 { return 1 }; return LongCalls(states, s-1) + LongCalls(states, s-1) }
		func tree(f *formula) (n int) { for _, o := range f.operands { n += tree(o) }; return n }
		var LongVariable = func(states []int) int { for len(states) > 0 { states = append(states, states[0]) }; return 0 }
		type none struct{}
		func (none) Err() error { return nil }
		func LongErr(states []int) error { for { states = append(states, 1); if len(states) == 0 { break } }; return none{}.Err() }
		func LongErrWithin(states []int) { for { states = append(states, 1); if (none{}).Err() != nil { break } } }
		func LongUnasked(ctx context.Context, states []int) error { for { states = append(states, 1) }; return ctx.Err() }
		func asking(ctx context.Context, states []int) { for ctx.Err() == nil { states = append(states, 1) } }
		type search struct { account *account.Account; todo []int }
		func (s *search) ask() bool { return s.account.Charge(1) == nil }
		func (s *search) add(n int) { s.todo = append(s.todo, n) }
		func (s *search) calling() { for { if !s.ask() { return } } }
		func (s *search) outer(states []int) { for range states { for range states { s.add(1) }; if !s.ask() { return } } }
		func (s *search) Long() { for len(s.todo) > 0 { s.todo = s.todo[1:]; s.add(1) } }
		func LongQueue(queue []int) { for i := 0; i < len(queue); i++ { queue = append(queue, i) } }
		func LongInner(queue []int) { add := func(n int) { queue = append(queue, n) }; for len(queue) > 0 { queue = queue[1:]; add(1) } }
		func pass(list []int) { for len(list) > 0 { list = list[1:] } }
		func LongGoto(n []int) { i := 0; again: if i = n[i]; i != 0 { goto again } }
		func forth(n []int) { for i := range n { if i > 3 { goto end } }; end: }
		func LongNext(next []int, i, x int) { for i != x { i = next[i] } }
		func LongNextZero(next []int, i int) { for i != 0 { i = next[i] } }
		func LongNextPost(next []int, x int) { for i := 0; i != x; i = next[i] { } }
		func LongSubsets(n int) (s int) { for i := range 1<<n { s += i }; return s }
		func LongSubsetsUp(n int) (s int) { for i := 0; i < 1<<n-1; i++ { s += i }; return s }
		func bytes() (s int) { for i := range 1<<8 { s += i }; return s }
		type arrow struct { weight int }
		func (a arrow) LongWeight() (s int) { for range a.weight { s++ }; return s }
		func (a arrow) LongWeightUp() (s int) { for i := 0; i < a.weight; i++ { s++ }; return s }
		func weights(weight []int) (s int) { for _, w := range weight { s += w }; return s }
		func LongContains(states, list []int) (n int) { for _, s := range states { if slices.Contains(list, s) { n++ } }; return n }
		func containsPart(states [][]int) (n int) { for _, s := range states { if slices.Contains(s, 1) { n++ } }; return n }
		func LongArcs(arcs, others []int) (n int) { for _, s := range arcs { for _, q := range arcs { n += s^q } }; return n }
		func LongFormulas(formulas []int) (n int) { for _, s := range formulas { for _, q := range formulas { n += s^q } }; return n }
		func LongClosure(states []int) { var visit func(s []int, n int); visit = func(s []int, n int) { visit(s, n-1); visit(s, n-1) }; visit(states, 9) }
		func closureOfTree(f *formula) { var visit func(f *formula); visit = func(f *formula) { for _, o := range f.operands { visit(o) } }; visit(f) }
		func closureAsks(ctx context.Context) { var visit func(n int); visit = func(n int) { if ctx.Err() == nil { visit(n-1); visit(n-1) } }; visit(9) }
		func LongAdds(states []int, number *big.Int) { for { states = append(states, 1); number.Add(number, number) } }
		func LongMakes(ctx context.Context, states []int) { for { states = append(states, 1); within, stop := context.WithCancel(ctx); stop() } }
		func bits(word uint) (n int) { for word != 0 { word &= word - 1; n++ }; return n }
	`); err != nil {
		t.Fatal(err)
	}
	found := p.unlimited()
	for name := range p.functions {
		_, is := found[name]
		if want := strings.Contains(name, "Long"); is != want {
			t.Errorf("%s: found %v, expected %v", name, is, want)
		}
	}
}

// readReasons reads the golden file: a line for each function, "folder name: reason".
func readReasons(t *testing.T) map[string]string {
	reasons := make(map[string]string)
	file, err := os.Open(golden)
	if os.IsNotExist(err) && *update {
		return reasons
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		if !ok || strings.TrimSpace(reason) == "" {
			t.Errorf("%s: %q has no reason", golden, line)
		}
		reasons[name] = reason
	}
	return reasons
}

func writeReasons(t *testing.T, found, reasons map[string]string) {
	var text strings.Builder
	text.WriteString("# Functions that loop without asking a context or an account, and why that is right.\n")
	for _, name := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&text, "%s: %s\n", name, reasons[name])
	}
	if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
