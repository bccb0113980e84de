package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/petritest"
)

// TestReducedContestNets: contest nets that are reduced, written and read again give the published answers
// in all examinations that the class allows. Fireability speaks of transitions, which only the class
// liveness keeps.
func TestReducedContestNets(t *testing.T) {
	const answer = `(?m)^FORMULA (\S+) (\S+) TECHNIQUES`
	smaller, compared := 0, 0
	for _, instance := range []string{
		"Angiogenesis-PT-01", "BridgeAndVehicles-PT-V04P05N02", "FMS-PT-00002", "IBM319-PT-none", "Peterson-PT-2", "Referendum-PT-0010",
	} {
		model := filepath.Join(t.TempDir(), "model.pnml")
		files := make(map[string][]byte)
		for name, text := range petritest.Archive(t, petritest.Shared(t, "mcc", "inputs", instance+".tgz")) {
			content, err := io.ReadAll(text)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(name)] = content
		}
		if err := os.WriteFile(model, files["model.pnml"], 0o600); err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct{ class, examination, oracle string }{
			{"deadlock", "ReachabilityDeadlock", "RD"},
			{"reachability", "ReachabilityCardinality", "RC"},
			{"reachability", "UpperBounds", "UB"},
			{"ctl", "CTLCardinality", "CTLC"},
			{"ltl", "LTLCardinality", "LTLC"},
			{"liveness", "Liveness", "L"},
			{"liveness", "QuasiLiveness", "QL"},
			{"liveness", "ReachabilityFireability", "RF"},
		} {
			t.Run(instance+"/"+x.examination, func(t *testing.T) {
				folder := t.TempDir()
				arguments := []string{"pnmc", "reduce", "--pnml", model, "--for", x.class, "-o", filepath.Join(folder, "model.pnml")}
				if properties, there := files[x.examination+".xml"]; there {
					for _, found := range regexp.MustCompile(`<place>([^<]*)</place>`).FindAllSubmatch(properties, -1) {
						arguments = append(arguments, "--keep", string(found[1]))
					}
					if err := os.WriteFile(filepath.Join(folder, x.examination+".xml"), properties, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				var stdout, stderr bytes.Buffer
				if code := run(context.Background(), arguments, nil, &stdout, &stderr); code != exit.Holds {
					t.Fatal(code, stderr.String())
				}
				if text, err := os.ReadFile(filepath.Join(folder, "model.pnml")); err != nil {
					t.Fatal(err)
				} else if places := []byte("<place "); bytes.Count(text, places) < bytes.Count(files["model.pnml"], places) {
					smaller++
				}
				oracle, err := os.ReadFile(petritest.Shared(t, "mcc", "oracle", instance+"-"+x.oracle+".out"))
				if err != nil {
					t.Fatal(err)
				}
				want := make(map[string]string)
				for _, found := range regexp.MustCompile(answer).FindAllStringSubmatch(string(oracle), -1) {
					want[found[1]] = found[2]
				}
				stdout.Reset()
				run(context.Background(), []string{"pnmc", "mcc", "--examination", x.examination, "--time", "10", folder}, nil, &stdout, &stderr)
				for _, found := range regexp.MustCompile(answer).FindAllStringSubmatch(stdout.String(), -1) {
					if value, known := want[found[1]]; known && value != "?" {
						if compared++; value != found[2] {
							t.Errorf("%s is %s, published is %s", found[1], found[2], value)
						}
					}
				}
				if !strings.Contains(stdout.String(), "FORMULA") {
					t.Errorf("no answer: %s%s", stdout.String(), stderr.String())
				}
			})
		}
	}
	if smaller < 24 || compared < 300 {
		t.Errorf("%d nets have fewer places, %d answers were compared", smaller, compared)
	}
}
