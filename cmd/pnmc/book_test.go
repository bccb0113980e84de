package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// book is the folder of the book's pages.
const book = "../../docs"

// block is a fenced block of a page. Its first line may have further words: exit=N is the
// exit code of its last command, form that its commands are not run and only their flags are
// looked at (TestBookForms), file=F a file that it is the content of, needs=P a program
// without which it is not run, schema=F a JSON schema for the lines that its last command
// prints, from=F a file that has these lines.
type block struct {
	page     string
	line     int
	language string
	words    map[string]string
	text     string
}

func (b *block) String() string { return fmt.Sprintf("docs/%s:%d", b.page, b.line) }

// blocksOf reads the fenced blocks of a page.
func blocksOf(t testing.TB, page string) (list []*block) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(book, page))
	if err != nil {
		t.Fatal(err)
	}
	var open *block
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case open != nil && line == "```":
			list, open = append(list, open), nil
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "```"):
			words := strings.Fields(strings.TrimPrefix(line, "```"))
			open = &block{page: page, line: i + 1, words: map[string]string{}}
			for j, w := range words {
				if j == 0 {
					open.language = w
				}
				key, value, _ := strings.Cut(w, "=")
				open.words[key] = value
			}
		}
	}
	if open != nil {
		t.Fatalf("%v: the block does not end", open)
	}
	return list
}

// pattern matches output as a page shows it: … stands for any text within a line, and alone
// in a line for any lines.
func pattern(shown string) *regexp.Regexp {
	text := "^"
	for line := range strings.Lines(shown) {
		if line == "…\n" {
			text += `(?s:.*)`
			continue
		}
		text += strings.ReplaceAll(regexp.QuoteMeta(line), "…", `.*`)
	}
	return regexp.MustCompile(text + "$")
}

// runBlock runs the commands of a block, and compares what each prints.
func runBlock(ts *testscript.TestScript, b *block) {
	if program, needed := b.words["needs"]; needed {
		if _, err := exec.LookPath(program); err != nil {
			ts.Logf("%v: %s is not there: not run", b, program)
			return
		}
	}
	parts := strings.Split("\n"+strings.TrimSuffix(b.text, "\n"), "\n$ ")
	if strings.TrimSpace(parts[0]) != "" {
		ts.Fatalf("%v: output stands in front of the first command", b)
	}
	for i, part := range parts[1:] {
		command, want, prints := strings.Cut(part, "\n")
		for strings.HasSuffix(command, "\\") { // it goes on in the next line
			var more string
			more, want, prints = strings.Cut(want, "\n")
			command += "\n" + more
		}
		if prints {
			want += "\n"
		}
		err := ts.Exec("sh", "-c", command+"\n")
		code := 0
		if err != nil {
			code = -1
			if found := regexp.MustCompile(`exit status (\d+)`).FindStringSubmatch(err.Error()); found != nil {
				fmt.Sscan(found[1], &code)
			}
		}
		wantCode := 0
		if i == len(parts)-2 || code != 0 {
			fmt.Sscan(b.words["exit"], &wantCode)
		}
		got := ts.ReadFile("stdout") + ts.ReadFile("stderr")
		if code != wantCode {
			ts.Fatalf("%v: %s\nexit code %d, expected %d\n%s", b, command, code, wantCode, got)
		}
		if !pattern(want).MatchString(got) {
			ts.Fatalf("%v: %s\nprints\n%s\nthe page says\n%s", b, command, got, want)
		}
		if schema := b.words["schema"]; schema != "" {
			validate(ts, filepath.Join("../..", schema), got)
		}
	}
}

// validate compares JSON lines with a schema.
func validate(ts *testscript.TestScript, path, lines string) {
	schema, err := jsonschema.NewCompiler().Compile(path)
	ts.Check(err)
	for line := range strings.Lines(lines) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		ts.Check(err)
		if err := schema.Validate(value); err != nil {
			ts.Fatalf("%s\n%v", line, err)
		}
	}
}

// bookPages returns the pages that the index marks as tested, and all pages that it has.
func bookPages(t *testing.T) (tested, all []string) {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(book, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)^\d+\. \[[^\]]+\]\(([a-z-]+\.md)\)( ✓)?`).FindAllStringSubmatch(string(index), -1) {
		all = append(all, found[1])
		if found[2] != "" {
			tested = append(tested, found[1])
		}
	}
	return tested, all
}

// TestBook runs each command of the book's pages, in a folder for each page, and compares
// what it prints with what the page says. Pictures that commands make are those of the page.
func TestBook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the book's commands are for a shell")
	}
	tested, _ := bookPages(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	programs, scripts := standIns(t, root), t.TempDir()
	blocks := make(map[string][]*block)
	for _, page := range tested {
		blocks[page] = blocksOf(t, page)
		var script strings.Builder
		for i := range blocks[page] {
			fmt.Fprintf(&script, "block %s %d\n", page, i)
		}
		fmt.Fprintf(&script, "pictures %s\n", page)
		if err := os.WriteFile(filepath.Join(scripts, strings.TrimSuffix(page, ".md")+".txt"), []byte(script.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: scripts,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", programs+string(os.PathListSeparator)+env.Getenv("PATH"))
			return likeSource(root, env.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"block": func(ts *testscript.TestScript, _ bool, arguments []string) {
				var i int
				fmt.Sscan(arguments[1], &i)
				b := blocks[arguments[0]][i]
				_, form := b.words["form"]
				switch file := b.words["file"]; {
				case file != "":
					ts.Check(os.WriteFile(ts.MkAbs(file), []byte(b.text), 0o644))
				case b.language == "console":
					runBlock(ts, b)
				case b.words["from"] != "":
					source, err := os.ReadFile(filepath.Join(root, b.words["from"]))
					ts.Check(err)
					if !bytes.Contains(source, []byte(b.text)) {
						ts.Fatalf("%v: %s does not have these lines", b, b.words["from"])
					}
				case !form && regexp.MustCompile(`(?m)^(\$ )?(exec )?pnmc `).MatchString(b.text):
					ts.Fatalf("%v: a command that is not run: call the block console", b)
				}
			},
			"pictures": func(ts *testscript.TestScript, _ bool, arguments []string) { comparePictures(ts, root, arguments[0]) },
		},
	})
}

// comparePictures compares the pictures that a page shows with those that its commands made.
func comparePictures(ts *testscript.TestScript, root, page string) {
	text, err := os.ReadFile(filepath.Join(root, "docs", page))
	ts.Check(err)
	for _, found := range regexp.MustCompile(`\]\(pictures/([a-z-]+\.svg)\)`).FindAllSubmatch(text, -1) {
		name := string(found[1])
		made, err := os.ReadFile(ts.MkAbs(name))
		ts.Check(err)
		shown := filepath.Join(root, "docs", "pictures", name)
		if *update {
			ts.Check(os.WriteFile(shown, made, 0o644))
		}
		kept, err := os.ReadFile(shown)
		ts.Check(err)
		if !bytes.Equal(made, kept) {
			ts.Fatalf("docs/%s: the commands draw another %s than the page shows (go test ./cmd/pnmc -run TestBook -update)", page, name)
		}
	}
}

// TestBookIndex: the index leads to each page, links lead somewhere, and no picture is left
// over.
func TestBookIndex(t *testing.T) {
	_, listed := bookPages(t)
	pages, err := filepath.Glob(filepath.Join(book, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, path := range pages {
		name := filepath.Base(path)
		if name != "README.md" && !slices.Contains(listed, name) {
			t.Errorf("the index lacks %s", name)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`).FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(book, found[1])); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, found[1])
			}
			shown[filepath.Base(found[1])] = true
		}
	}
	pictures, _ := filepath.Glob(filepath.Join(book, "pictures", "*"))
	for _, path := range pictures {
		if !shown[filepath.Base(path)] {
			t.Errorf("no page shows %s", path)
		}
	}
}
