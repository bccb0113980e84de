package pnml

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
	"pnmc/petri/symmetric"
)

// contestModels are the archives of the Model Checking Contest's instances.
const contestModels = "../../shared/mcc/inputs/*.tgz"

// TestContestModels reads the models of the contest: a sample of small archives
// unless PNML_ALL is set.
func TestContestModels(t *testing.T) {
	archives, _ := filepath.Glob(contestModels)
	if len(archives) == 0 {
		t.Skipf("no contest models at %s", contestModels)
	}
	all := os.Getenv("PNML_ALL") != ""
	for i, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".tgz")
		info, err := os.Stat(archive)
		if err != nil {
			t.Fatal(err)
		}
		if !all && (i%4 != 0 || info.Size() > 200_000) {
			continue
		}
		document, err := Reader{}.ReadDocument(petritest.ModelIn(t, archive), name)
		switch net, coloured := document.Net, document.Symmetric; {
		case err != nil:
			t.Error(err)
		case strings.Contains(name, "-COL-"):
			if coloured == nil || len(coloured.Places) == 0 || len(coloured.Transitions) == 0 {
				t.Errorf("%s: symmetric net without nodes", name)
			}
		case net == nil || net.Places() == 0 || net.Transitions() == 0 || net.Arcs() == 0:
			t.Errorf("%s: net without nodes or arcs", name)
		}
	}
}

// reachableTwins are the coloured models whose place/transition twin holds only
// what can be reached, as unfolding does unless it is told to keep all. The twins
// of the other models hold all.
var reachableTwins = []string{
	"FamilyReunion-COL-L00010M0001C001P001G001", "Peterson-COL-2", "PolyORBNT-COL-S05J20", "SafeBus-COL-03",
	"SharedMemory-COL-000005",
}

// TestUnfoldedTwins unfolds contest models that also exist as place/transition
// nets and compares places, transitions and arcs.
func TestUnfoldedTwins(t *testing.T) {
	archives, _ := filepath.Glob(strings.Replace(contestModels, "*", "*-COL-*", 1))
	if len(archives) == 0 {
		t.Skipf("no contest models at %s", contestModels)
	}
	for _, archive := range archives {
		twin := strings.Replace(archive, "-COL-", "-PT-", 1)
		if _, err := os.Stat(twin); err != nil {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(archive), ".tgz")
		document, err := Reader{}.ReadDocument(petritest.ModelIn(t, archive), name)
		if err != nil {
			t.Error(err)
			continue
		}
		plain, err := Reader{}.Read(petritest.ModelIn(t, twin), name)
		if err != nil {
			t.Error(err)
			continue
		}
		options := symmetric.Options{KeepAll: !slices.Contains(reachableTwins, name)}
		u, err := document.Symmetric.Unfold(t.Context(), options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		size := func(n *petri.Net) [3]int { return [3]int{n.Places(), n.Transitions(), n.Arcs()} }
		got, want := size(u.Net), size(plain)
		if name == "NeoElection-COL-2" {
			// The twin lacks 18 of the bindings, none of which can fire, in
			// which a successor steps from the last colour to the first.
			want = [3]int{438, 357 + 18, 1998 + 6*18}
		}
		if got != want {
			t.Errorf("%s: %d places, transitions, arcs, expected %d as in the twin", name, got, want)
		}
	}
}

// TestTwinsHaveTheSameMarkings counts the reachable markings and firings of
// coloured contest models, dropping what cannot be reached, and of their
// place/transition twins. Twins with more than a few thousand markings are left
// to those who set PNML_ALL.
func TestTwinsHaveTheSameMarkings(t *testing.T) {
	archives, _ := filepath.Glob(strings.Replace(contestModels, "*", "*-COL-*", 1))
	if len(archives) == 0 {
		t.Skipf("no contest models at %s", contestModels)
	}
	most := int64(30_000)
	if os.Getenv("PNML_ALL") != "" {
		most = 3_000_000
	}
	compared := 0
	for _, archive := range archives {
		twin := strings.Replace(archive, "-COL-", "-PT-", 1)
		if _, err := os.Stat(twin); err != nil {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(archive), ".tgz")
		document, err := Reader{}.ReadDocument(petritest.ModelIn(t, archive), name)
		if err != nil {
			t.Error(err)
			continue
		}
		plain, err := Reader{}.Read(petritest.ModelIn(t, twin), name)
		if err != nil {
			t.Error(err)
			continue
		}
		u, err := document.Symmetric.Unfold(t.Context(), symmetric.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		count := func(n *petri.Net) (petri.Statistics, error) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			facts := invariant.Prove(ctx, n, 100_000)
			return n.Explore(ctx, facts, petri.Budget{MemoryBytes: 2 << 30}, func(s petri.Statistics) {
				if s.States > most {
					cancel()
				}
			})
		}
		got, err := count(u.Net)
		if err != nil {
			t.Logf("%s: not counted: %v", name, err)
			continue
		}
		want, err := count(plain)
		if err != nil {
			t.Logf("%s: twin not counted: %v", name, err)
			continue
		}
		t.Logf("%s: %d markings, %d firings", name, got.States, got.Firings)
		if got.States != want.States || got.Firings != want.Firings {
			t.Errorf("%s: %d markings, %d firings, its twin has %d and %d", name, got.States, got.Firings, want.States, want.Firings)
		}
		compared++
	}
	if compared < 5 {
		t.Errorf("%d twins compared, expected more", compared)
	}
}
