package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackageComments: each package says what it is for, in a sentence that begins with
// its name.
func TestPackageComments(t *testing.T) {
	comments := make(map[string]string) // by folder
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		comments[filepath.Dir(path)] += packageComment(f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(comments) < 20 {
		t.Errorf("only %d packages seen", len(comments))
	}
	for folder, comment := range comments {
		name := filepath.Base(folder)
		if !strings.HasPrefix(comment, "Package "+name+" ") && !strings.HasPrefix(comment, "Command "+name+" ") {
			t.Errorf("%s: the package comment begins with %.40q", folder, comment)
		}
	}
}

func packageComment(f *ast.File) string {
	if f.Doc == nil {
		return ""
	}
	return f.Doc.Text()
}
