package symbolic

import (
	"context"

	"pnmc/internal/suggest"
)

// Method says how the reachable set is computed.
type Method uint8

// The methods; all give the same set.
const (
	// Saturation closes nodes from the bottom up, usually by far the fastest.
	Saturation Method = iota
	// Chaining fires the events one after the other, each on all states found
	// so far, until none finds another.
	Chaining
	// BreadthFirst fires all events on the states of the last layer.
	BreadthFirst
)

var methodNames = suggest.Names[Method]{"saturation", "chaining", "breadth-first"}

// String returns the method's name, as ParseMethod reads it.
func (m Method) String() string { return methodNames.Of(m) }

// MethodNames returns the names of all methods.
func MethodNames() []string { return methodNames.All() }

// ParseMethod reads the name of a method.
func ParseMethod(name string) (Method, error) { return methodNames.Parse(name) }

// chain fires the events of r, lowest level first, each on all vectors found so far. It
// ends when no event finds another vector (Roig, Cortadella, Pastor, "Verification of
// asynchronous circuits by BDD-based model checking of Petri nets", 1995).
func (r *Relation) chain(ctx context.Context, n Node) (Node, error) {
	f := r.forest
	defer f.within(ctx)()
	return f.guarded([]Node{n}, func() Node {
		found := n
		for {
			before := found
			f.push(before) // or its number could be given to another set
			for _, rules := range r.top {
				for _, rule := range rules {
					found = f.withFired(found, rule, found, anything)
				}
			}
			f.pop()
			if found == before {
				return found
			}
		}
	})
}

// layers fires all events at once on the vectors first found in the last round.
func (r *Relation) layers(ctx context.Context, n Node) (Node, error) {
	f := r.forest
	defer f.within(ctx)()
	return f.guarded([]Node{n}, func() Node {
		found, last := n, n
		for last != Empty {
			f.push(found)
			f.push(last)
			next := f.image(r, last)
			f.push(next)
			last = f.combine(operationDifference, next, found)
			f.push(last)
			found = f.union(found, last)
			for range 4 {
				f.pop()
			}
		}
		return found
	})
}
