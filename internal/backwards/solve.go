// Package backwards solves equations along a run, from its last position to its first.
//
// In come a truth value for each position and an equation that says how it follows from that of the
// next position; out goes the least or greatest solution. That is how temporal formulas are
// evaluated on one run, which ends or goes around a loop for ever. It imports nothing of the module.
package backwards

// Solve gives v the solution of v[i] = value(i), the least one if from is false and the greatest if
// it is true. value looks at v of one position at most: i+1, or for the last i one that the run goes
// back to. It does not become false when v there becomes true.
//
// Two rounds backwards are enough. In the first one the last position uses the value from of the
// position that the run goes back to. If that was wrong, the second round carries the right value
// around the loop; then nothing changes any more.
func Solve(v []bool, from bool, value func(i int) bool) {
	for i := range v {
		v[i] = from
	}
	for range 2 {
		for i := len(v) - 1; i >= 0; i-- {
			v[i] = value(i)
		}
	}
}
