package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// TestTAPAALAnswers asks the queries of TAPAAL's own tests about its models, by the main command
// and as an examination of the contest: what is answered is what verifypn answers, but for two
// answers of it that a naive twin refutes.
func TestTAPAALAnswers(t *testing.T) {
	files := make(map[string][]byte)
	for name, text := range petritest.Archive(t, petritest.Shared(t, "interop", "tapaal.tgz")) {
		var err error
		if files[name], err = io.ReadAll(text); err != nil {
			t.Fatal(err)
		}
	}
	want := make(map[string]map[string]string) // by model and query
	for line := range strings.Lines(string(files["answers.tsv"])) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if len(columns) != 3 {
			t.Fatalf("answers.tsv: %q", line)
		}
		if want[columns[0]] == nil {
			want[columns[0]] = make(map[string]string)
		}
		want[columns[0]][columns[1]] = columns[2]
	}
	var models []string
	for model := range want {
		models = append(models, model)
	}
	slices.Sort(models)
	step := 1
	if testing.Short() {
		step = 8
	}
	right, asked := 0, 0
	for i := 0; i < len(models); i += step {
		folder, queries := t.TempDir(), files[models[i]+"/query.xml"]
		for name, text := range map[string][]byte{"model.pnml": files[models[i]+"/model.pnml"], "query.xml": queries, "CTLCardinality.xml": queries} {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var doors [2]bytes.Buffer
		var stderr bytes.Buffer
		run(context.Background(), []string{"pnmc", "--pnml", filepath.Join(folder, "model.pnml"), "--queries", filepath.Join(folder, "query.xml"),
			"--total-timeout", "10s", "--max-memory", "1GB"}, nil, &doors[0], &stderr)
		run(context.Background(), []string{"pnmc", "mcc", "--examination", "CTLCardinality", "--time", "10s", "--memory", "1000", folder}, nil, &doors[1], &stderr)
		for query, answer := range want[models[i]] {
			asked++
			if judge, wrong := verifypnErrs[query]; wrong {
				answer = strings.ToUpper(strconv.FormatBool(judge(t, files[models[i]+"/model.pnml"])))
			}
			line := "FORMULA " + query + " " + answer + " TECHNIQUES "
			if !strings.Contains(doors[0].String(), line) || !strings.Contains(doors[1].String(), line) {
				t.Errorf("%s: %s should be %s:\n%s%s%s", models[i], query, answer, &doors[0], &doors[1], &stderr)
				continue
			}
			right++
		}
	}
	if right < asked || asked == 0 {
		t.Errorf("%d of %d queries answered", right, asked)
	}
}

// verifypnErrs are queries to which the recorded answer is wrong, with the definitions that
// tell the right one from all markings of the net.
var verifypnErrs = map[string]func(*testing.T, []byte) bool{
	// EG (P3 != 1 or P2 = 0); all paths end.
	"discrete-test008.TRUE-4": func(t *testing.T, model []byte) bool {
		net, g := allMarkings(t, model)
		holds := make([]bool, len(g.Markings))
		for i, m := range g.Markings {
			holds[i] = tokensOf(t, net, m, "P3") != 1 || tokensOf(t, net, m, "P2") == 0
		}
		return g.Globally(false, holds)[0]
	},
	// EF P2 >= 1
	"untimed-reductions-mads-test001.FALSE-1": func(t *testing.T, model []byte) bool {
		net, g := allMarkings(t, model)
		return slices.ContainsFunc(g.Markings, func(m petri.Marking) bool { return tokensOf(t, net, m, "P2") >= 1 })
	},
}

func allMarkings(t *testing.T, model []byte) (*petri.Net, *petritest.Graph) {
	net, err := pnml.Reader{}.Read(bytes.NewReader(model), "model.pnml")
	if err != nil {
		t.Fatal(err)
	}
	g, complete := petritest.Explore(net, 10_000)
	if !complete {
		t.Fatal("more markings than expected")
	}
	return net, g
}

func tokensOf(t *testing.T, net *petri.Net, m petri.Marking, id string) int64 {
	p, known := net.PlaceByID(id)
	if !known {
		t.Fatalf("no place %s", id)
	}
	return m[p]
}
