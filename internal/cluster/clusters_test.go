package cluster

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// fakeClusters are several, which are chosen by a flag.
type fakeClusters map[string]*fakeSlurm

func (f fakeClusters) run(ctx context.Context, name string, arguments ...string) (string, error) {
	cluster, several := strings.CutPrefix(arguments[0], "--clusters=")
	if !several {
		return f[""].run(ctx, name, arguments...)
	}
	text, err := f[cluster].run(ctx, name, arguments[1:]...)
	if name == "squeue" {
		text = "\nCLUSTER: " + cluster + "\n" + text
	}
	return text, err
}

// TestClusters: tasks are looked for, and canceled, in the cluster that they were submitted to,
// whatever variables say then.
func TestClusters(t *testing.T) {
	ctx := context.Background()
	for _, variable := range clusterVariables {
		clusters := fakeClusters{"": newFake(), "far": newFake(), "other": newFake()}
		desk := Desk{Folder: filepath.Join(t.TempDir(), "tasks"), Slurm: Slurm{Run: clusters.run}}
		for _, v := range clusterVariables {
			t.Setenv(v, "")
		}
		t.Setenv(variable, "far")
		if _, err := desk.Submit(ctx, orderOf("a", "b")); err != nil {
			t.Fatal(err)
		}
		for _, later := range []string{"far", "", "other"} {
			t.Setenv(variable, later)
			if standing, err := desk.Look(ctx); err != nil || len(standing.Active()) != 2 {
				t.Errorf("%s is %q: %v, active %v", variable, later, err, standing.Active())
			}
		}
		t.Setenv(variable, "")
		if _, err := desk.Submit(ctx, orderOf("c")); err != nil {
			t.Fatal(err)
		}
		tasks, jobs, err := desk.Cancel(ctx)
		if err != nil || tasks != 3 || len(jobs) != 1 || len(clusters["far"].killed) != 1 || len(clusters[""].killed) != 1 || len(clusters["other"].killed) != 0 {
			t.Errorf("%s: canceled %d of %v, %v", variable, tasks, jobs, err)
		}
		for _, several := range []string{"far,other", "all"} {
			t.Setenv(variable, several)
			if _, err := desk.Submit(ctx, orderOf("d")); err == nil {
				t.Errorf("submitted to any of %q: it is not known where to look", several)
			}
		}
	}
}
