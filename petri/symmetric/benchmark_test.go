package symmetric_test

import (
	"errors"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri/symmetric"
	"pnmc/pnml"
)

// unfolded are the sizes that nets of the contest unfold to, places and
// transitions, plainly and with merged colours, without what never changes; 0 for
// too large.
var unfolded = []struct {
	instance      string
	plain, merged [2]int
}{
	{"PolyORBLF-COL-S02J04T06", [2]int{476, 920}, [2]int{476, 824}},
	{"SharedMemory-COL-050000", [2]int{}, [2]int{}}, // 5 10^9 bindings; a variable twice at inputs
	{"FamilyReunion-COL-L00010M0001C001P001G001", [2]int{1465, 1234}, [2]int{1217, 939}},
	{"FamilyReunion-COL-L12000M1200C600P600G300", [2]int{}, [2]int{}},
	{"AirplaneLD-COL-4000", [2]int{16017, 32008}, [2]int{25, 26}},
	{"DrinkVendingMachine-COL-98", [2]int{}, [2]int{12, 10}},
}

// BenchmarkUnfold unfolds contest models where they are present. Those that are
// too large show how soon that is told.
func BenchmarkUnfold(b *testing.B) {
	for _, m := range unfolded {
		for _, merge := range []bool{false, true} {
			want, way := m.plain, "plain"
			if merge {
				want, way = m.merged, "merged"
			}
			b.Run("model="+m.instance+"/colours="+way, func(b *testing.B) {
				document, err := pnml.Reader{}.ReadDocumentFile(petritest.ContestModel(b, m.instance))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					u, err := document.Symmetric.Unfold(b.Context(), symmetric.Options{Merge: merge, DropConstant: true})
					if want[0] == 0 {
						if !errors.Is(err, symmetric.ErrTooLarge) {
							b.Fatalf("got error %v, expected a net too large", err)
						}
						continue
					}
					if err != nil {
						b.Fatal(err)
					}
					if got := [2]int{u.Net.Places(), u.Net.Transitions()}; got != want {
						b.Fatalf("%d places and transitions, expected %d", got, want)
					}
				}
			})
		}
	}
}
