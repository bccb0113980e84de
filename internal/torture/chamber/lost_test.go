package chamber

import "testing"

// TestUnreadIsNotLost: answers are missing without being lost if a limit ended the reading of their
// file, and standard error says so; also where another answer gives the exit code.
func TestUnreadIsNotLost(t *testing.T) {
	const told = "pnmc: formulas.ltl: time limit of 1s reached while it was read\n"
	for _, x := range []struct {
		code     int
		stderr   string
		verdicts int
		lost     bool
	}{
		{2, told, 3, false}, {1, told, 3, false}, {2, told, 0, false},
		{0, told, 3, true}, {1, "", 3, true}, {2, "", 3, true}, {1, told, 5, true}, {2, told, 5, true},
	} {
		k := &check{questions: 4}
		list := k.lost(&Outcome{Code: x.code, Stderr: []byte(x.stderr)}, make([]verdict, x.verdicts))
		if (len(list) > 0) != x.lost {
			t.Errorf("%d verdicts about 4 questions, exit code %d, %q: %v", x.verdicts, x.code, x.stderr, list)
		}
	}
}
