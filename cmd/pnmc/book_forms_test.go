package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/usage"
)

// shellCommands splits a line as a shell does, into the words of each command of a pipe or a
// list. Quotes of both kinds hold words together; what follows # is a comment.
func shellCommands(line string) (commands [][]string) {
	var words []string
	word, open, quote := "", false, rune(0)
	end := func() {
		if open {
			words = append(words, word)
		}
		word, open = "", false
	}
	next := func() {
		end()
		if len(words) > 0 {
			commands = append(commands, words)
		}
		words = nil
	}
	for _, r := range line {
		switch {
		case r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == '#' && !open:
			next()
			return commands
		case strings.ContainsRune(" \t()", r):
			end()
		case strings.ContainsRune("|;&><", r):
			next()
			if strings.ContainsRune("><", r) { // a file, which belongs to no command
				words = []string{string(r)}
			}
		default:
			word, open = word+string(r), true
		}
	}
	next()
	return commands
}

// formOf says what is wrong with the words of a command: a command or a flag that there is not.
// Commands of other programs are not looked at.
func formOf(words []string) string {
	for len(words) > 0 && (words[0] == "exec" || regexp.MustCompile(`^\w+=`).MatchString(words[0])) {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return ""
	case words[0] == "pnmc":
		return formOfPnmc(words[1:])
	case words[0] == "go" && len(words) > 1:
		switch words[1] {
		case "run":
			if len(words) > 2 && words[2] == "./cmd/pnmc" {
				return formOfPnmc(words[3:])
			}
			return formOfGo(words[2:], "*.go")
		case "test":
			return formOfGo(words[2:], "*_test.go")
		}
	}
	return ""
}

// formOfPnmc says what is wrong with arguments of pnmc.
func formOfPnmc(words []string) string {
	app := newApp(nil, nil, nil)
	flags := append(app.Flags, cli.HelpFlag)
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		switch command := app.Command(words[0]); {
		case command != nil:
			flags = append(command.Flags, cli.HelpFlag)
		case regexp.MustCompile(`^([A-Z]+|…|\.\.\.)$`).MatchString(words[0]): // stands for any command
			return ""
		default:
			return "there is no command " + words[0]
		}
	}
	for i := 0; i < len(words) && words[i] != "--"; i++ {
		flag, value, given := strings.Cut(words[i], "=")
		if len(flag) < 2 || flag[0] != '-' || strings.Trim(flag, "-.0123456789…") == "" {
			continue
		}
		known := slices.ContainsFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), strings.TrimLeft(flag, "-")) })
		if !known {
			return "there is no flag " + flag
		}
		if takes := usage.TakesValue(flags, flag); takes && !given {
			i++
		} else if !takes && given && value != "true" && value != "false" {
			return flag + " takes no value"
		}
	}
	return ""
}

// formOfGo says what is wrong with the arguments of go run and go test: a package, a test or a
// flag that there is not.
func formOfGo(words []string, files string) string {
	var sources string
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case strings.HasPrefix(word, "./") && !strings.HasSuffix(word, "..."):
			list, _ := filepath.Glob(filepath.Join("../..", word, files))
			if len(list) == 0 {
				return "there is no package " + word
			}
			for _, file := range list {
				text, err := os.ReadFile(file)
				if err != nil {
					return err.Error()
				}
				sources += string(text)
			}
			if strings.Contains(sources, `"pnmc/internal/petritest"`) { // which has flags for all tests that use it
				text, err := os.ReadFile("../../internal/petritest/stress.go")
				if err != nil {
					return err.Error()
				}
				sources += string(text)
			}
		case !strings.HasPrefix(word, "-"):
		case word == "-run" || word == "-bench" || word == "-fuzz":
			i++
			if i == len(words) {
				return word + " takes a pattern"
			}
			first, _, _ := strings.Cut(strings.TrimSuffix(words[i], "$"), "/")
			if kind := map[string]string{"-run": "Test", "-bench": "Benchmark", "-fuzz": "Fuzz"}[word]; first != "." && first != "XXX" && sources != "" &&
				!regexp.MustCompile(`\nfunc `+kind+`\w*`+strings.TrimPrefix(first, kind)).MatchString(sources) {
				return "no " + kind + " is called " + words[i]
			}
		case slices.Contains([]string{"-v", "-timeout", "-short", "-args", "-cpuprofile", "-count", "-update", "-benchtime"}, word):
		case strings.HasPrefix(word, "-rapid.checks=") && strings.Contains(sources, "pgregory.net/rapid"):
		default:
			if !regexp.MustCompile(`(?i)flag\S*\(.*"` + strings.TrimLeft(word, "-") + `"`).MatchString(sources) {
				return "there is no flag " + word
			}
		}
	}
	return ""
}

// commandsIn finds the commands that a page shows, in blocks and within sentences.
func commandsIn(text string) (list []string) {
	for i, part := range strings.Split("\n"+text, "\n```") {
		if i%2 == 0 {
			for _, found := range regexp.MustCompile("(?s)`((?:pnmc|go (?:run|test)) [^`]*)`").FindAllStringSubmatch(part, -1) {
				list = append(list, strings.ReplaceAll(found[1], "\n", " "))
			}
			continue
		}
		language, part, _ := strings.Cut(part, "\n")
		if strings.HasPrefix(language, "text") {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(part, "\\\n", " ")) {
			line = regexp.MustCompile(`^\s*(- run: |\$ )?`).ReplaceAllString(strings.TrimRight(line, "\n"), "")
			list = append(list, line)
		}
	}
	return list
}

// TestBookForms: each command that a page, the README or CONTRIBUTING shows, in a block or
// within a sentence, is one of pnmc's, with flags that it has; tests and packages that go is
// to run are there. That holds of commands that take too long for a test, too.
func TestBookForms(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(book, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range commandsIn(string(text)) {
			for _, words := range shellCommands(line) {
				if slices.Contains(words, "pnmc") || words[0] == "go" {
					looked++
				}
				if wrong := formOf(words); wrong != "" {
					t.Errorf("%s: %s\n%s", filepath.Base(page), line, wrong)
				}
			}
		}
	}
	if looked < 150 {
		t.Errorf("only %d commands were found", looked)
	}
}

// TestFormOf: what is no command, no flag or no test is noticed.
func TestFormOf(t *testing.T) {
	for line, want := range map[string]string{
		"pnmc --pnml net.pnml --ltl 'G a | b' | grep x":   "",
		"A=1 pnmc mcc --tiem 3":                           "there is no flag --tiem",
		"ltl2tgba -f a | pnmc --pnml a --hoax -":          "there is no flag --hoax",
		"pnmc vue net.pnml":                               "there is no command vue",
		"pnmc COMMAND --help":                             "",
		"pnmc --live=net.pnml":                            "--live takes no value",
		"pnmc translate 'G a' --to tgta  # --nothing":     "",
		"go test ./nowhere":                               "there is no package ./nowhere",
		"go test ./hoa -fuzz FuzzRead":                    "",
		"go test ./hoa -run NoSuchTest":                   "no Test is called NoSuchTest",
		"go test ./symbolic -run 'Growth$' -growth ../..": "",
		"go test ./petri/reduce -rapid.checks=10":         "",
		"go test ./petri/labelling/none -rapid.checks=10": "there is no package ./petri/labelling/none",
		"go test ./internal/account -rapid.checks=10":     "there is no flag -rapid.checks=10",
		"go test ./petri/multicore -stress 1h":            "",
		"go test ./internal/account -stress 1h":           "there is no flag -stress",
		"go test ./symbolic -run 'Growth$' -grow ../..":   "there is no flag -grow",
		"go run ./internal/torture -durations 3":          "there is no flag -durations",
		"go run ./cmd/pnmc --help":                        "",
	} {
		got := ""
		for _, words := range shellCommands(line) {
			got += formOf(words)
		}
		if got != want {
			t.Errorf("%s: %q, expected %q", line, got, want)
		}
	}
}
