package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/usage"
)

// TestFlagValuesAreTaken: the values that completion offers are those that commands take.
func TestFlagValuesAreTaken(t *testing.T) {
	app := newApp(nil, io.Discard, io.Discard)
	minimal := map[string]string{
		"": "--pnml none --ltl 1 --trace -", "states": "--pnml none", "convert": "--hoa none", "translate": "--ltl-file none",
		"intersect": "none none", "include": "none none", "equivalent": "none none", "cross": "-f ! -- false_%f",
		"mcc": "none --examination OneSafe", "batch": "none", "bench": "--pnml none --formulas none", "view": "none -o -", "play": "none", "reduce": "--pnml none",
	}
	minimal["unfold"], minimal["reduce"] = minimal["states"], minimal["states"]+" --for deadlock"
	taken := 0
	try := func(command string, flags []cli.Flag) {
		for _, f := range flags {
			name := f.Names()[0]
			for _, value := range append(usage.FlagValues(command, name), "wrong-value") {
				if len(usage.FlagValues(command, name)) == 0 {
					continue
				}
				arguments := append(append([]string{"pnmc"}, strings.Fields(command)...), strings.Fields(minimal[command])...)
				if i := slices.Index(arguments, "--"); i >= 0 {
					arguments = slices.Insert(arguments, i, "--"+name, value)
				} else {
					arguments = append(arguments, "--"+name, value)
				}
				if command == "convert" && slices.Contains([]string{"pnml", "etf", "pnml-2004", "tina", "lola", "gal"}, value) {
					model := "--pnml"
					if value == "etf" {
						model = "--etf"
					}
					arguments[slices.Index(arguments, "--hoa")] = model
				}
				if name == "saturation" || name == "state-variable" || name == "encoding" {
					arguments = append(arguments, "--approach", "sym-tgta", "--approaches", "sym-tgta", "--engine", "symbolic")
					for _, other := range []string{"--approach", "--approaches", "--engine"} {
						if i := slices.Index(arguments, other); i >= 0 && !slices.ContainsFunc(flags, func(f cli.Flag) bool { return "--"+f.Names()[0] == other }) {
							arguments = slices.Delete(arguments, i, i+2)
						}
					}
				}
				var stdout, stderr bytes.Buffer
				code := run(context.Background(), arguments, nil, &stdout, &stderr)
				if refused := code == exit.Usage; refused != (value == "wrong-value") {
					t.Errorf("%q: exit code %d, %s", arguments, code, &stderr)
				}
				taken++
			}
		}
	}
	try("", app.Flags)
	for _, c := range app.Commands {
		try(c.Name, c.Flags)
	}
	if taken < 80 {
		t.Errorf("only %d values", taken)
	}
}

// TestZshReads: zsh reads the script, which is not run.
func TestZshReads(t *testing.T) {
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("no zsh")
	}
	command := exec.Command(zsh, "-n", "/dev/stdin")
	command.Stdin = strings.NewReader(zshCompletion)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestBashCompletes runs the script in bash, in a folder with two files: where a flag has a
// fixed set of values, none of these is offered.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	asProgram(t)
	script := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(script, []byte(bashCompletion), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"net.pnml", "values"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for words, want := range map[string]string{
		"pnmc|states|--engine|":                  "explicit symbolic",
		"pnmc|states|--engine|s":                 "symbolic",
		"pnmc|states|--engine|=|s":               "symbolic",
		"pnmc|states|--engine|=":                 "explicit symbolic",
		"pnmc|--approach|sym-t":                  "sym-tgba sym-tgta",
		"pnmc|mcc|--examination|CTL":             "CTLCardinality CTLFireability",
		"pnmc|states|--eng":                      "--engine",
		"pnmc|equ":                               "equivalent",
		"pnmc|completion|z":                      "zsh",
		"pnmc|translate|G a|--negate|--to|tg":    "tgba tgta",
		"pnmc|batch|--examinations|Reachability": "ReachabilityDeadlock ReachabilityCardinality ReachabilityFireability",
		"pnmc|translate|G a|--format|":           "hoa dot svg",
		"pnmc|states|--pnml|n":                   "net.pnml",
		"pnmc|convert|--to|n":                    "",
		"pnmc|bench|--approaches|t":              "tgba ta tgta",
		"pnmc|bench|--approaches|ba,":            "ba,auto ba,tgba ba,ta ba,tgta ba,sym-tgba ba,sym-tgta ba,sym-slap",
		"pnmc|bench|--approaches|=|ba,tgba,tg":   "ba,tgba,tgta",
		"pnmc|batch|--examinations|OneSafe,Live": "OneSafe,Liveness",
		"pnmc|batch|--examinations|OneSafe,On":   "",
		"pnmc|translate|G a|--to|ba,":            "",
	} {
		command := exec.Command(bash, "--norc", "-c", `source "$1"; IFS='|' read -ra COMP_WORDS <<< "$2"; [[ "$2" == *"|" ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pnmc_complete; echo "${COMPREPLY[*]}"`, "bash", script, words)
		command.Dir = folder
		out, err := command.CombinedOutput()
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != want {
			t.Errorf("%s: %q, expected %q, %v", words, got, want, err)
		}
	}
}

// TestFishScript: the script for fish offers values, too.
func TestFishScript(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"pnmc", "completion", "fish"}, nil, &stdout, &stderr); code != exit.Holds {
		t.Fatalf("exit code %d, %s", code, &stderr)
	}
	for _, line := range []string{
		"complete -c pnmc -n '__fish_pnmc_no_subcommand' -l approach -x -a 'auto tgba ba ta tgta sym-tgba sym-tgta sym-slap'\n",
		"complete -c pnmc -n '__fish_seen_subcommand_from bench' -l approaches -x -a '(__fish_append , auto tgba ba ta tgta sym-tgba sym-tgta sym-slap)'\n",
		"complete -c pnmc -n '__fish_seen_subcommand_from states' -l engine -x -a 'explicit symbolic'\n",
	} {
		if !strings.Contains(stdout.String(), line) {
			t.Errorf("no %q", line)
		}
	}
}
