package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackageComments: each package says what it is for, in a sentence that begins with
// its name.
func TestPackageComments(t *testing.T) {
	comments, _ := packageComments(t)
	for folder, comment := range comments {
		name := filepath.Base(folder)
		if !strings.HasPrefix(comment, "Package "+name+" ") && !strings.HasPrefix(comment, "Command "+name+" ") {
			t.Errorf("%s: the package comment begins with %.40q", folder, comment)
		}
	}
}

// TestPackageFiles: where a package has more than ten files, its comment names each of them in a
// table, but for doc.go. Such a table of a smaller package names all of its files, too. None names
// a file twice, or one that is not there.
func TestPackageFiles(t *testing.T) {
	comments, files := packageComments(t)
	tables := 0
	for folder, comment := range comments {
		var listed []string
		for _, name := range filesOfTables(comment) {
			if _, isRoom := comments[filepath.Join(folder, name)]; !isRoom {
				listed = append(listed, name+".go")
			}
		}
		isFile := func(name string) bool { return slices.Contains(files[folder], name) }
		if len(files[folder]) > 10 || slices.ContainsFunc(listed, isFile) {
			tables++
			want := slices.DeleteFunc(slices.Clone(files[folder]), func(name string) bool { return name == "doc.go" })
			slices.Sort(want)
			slices.Sort(listed)
			if !slices.Equal(want, listed) {
				t.Errorf("%s has the files %v, the package comment names %v", folder, want, listed)
			}
		}
		for _, name := range goFile.FindAllString(comment, -1) {
			if !isFile(name) {
				t.Errorf("%s: the package comment mentions %s, which is not there", folder, name)
			}
		}
	}
	if tables < 30 {
		t.Errorf("only %d tables seen", tables)
	}
}

var (
	// tableRow is a line behind a tab: names of files, with commas between them, and what they hold.
	tableRow = regexp.MustCompile(`(?m)^\t+([a-z0-9_]+(?:\.go)?(?:,[ ]*[a-z0-9_]+(?:\.go)?)*)(?:,?$|[ ]+\S)`)
	goFile   = regexp.MustCompile(`\b[a-z0-9_]+\.go\b`)
)

// filesOfTables returns the names in the first columns of a comment's tables, without ".go".
func filesOfTables(comment string) []string {
	var names []string
	for _, row := range tableRow.FindAllStringSubmatch(comment, -1) {
		for name := range strings.SplitSeq(row[1], ",") {
			names = append(names, strings.TrimSuffix(strings.TrimSpace(name), ".go"))
		}
	}
	return names
}

func TestFilesOfTables(t *testing.T) {
	comment := "Package p holds things.\n\n\ta.go, b   the first, and\n\tc_unix,\n\tc_other  processes\n\td one space, too\n\nIt has\nno more.\n"
	if got, want := filesOfTables(comment), []string{"a", "b", "c_unix", "c_other", "d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// packageComments returns, by folder, the comment of each package and its files, tests aside.
func packageComments(t *testing.T) (comments map[string]string, files map[string][]string) {
	t.Helper()
	comments, files = make(map[string]string), make(map[string][]string)
	eachProductFile(t, func(folder, name string, text []byte) error {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		comments[folder] += packageComment(f)
		files[folder] = append(files[folder], name)
		return nil
	})
	if len(comments) < 20 {
		t.Errorf("only %d packages seen", len(comments))
	}
	return comments, files
}

func packageComment(f *ast.File) string {
	if f.Doc == nil {
		return ""
	}
	return f.Doc.Text()
}
