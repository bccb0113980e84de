package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// licenceList names, a line each, the modules of go.mod, their licences by the identifiers of
// SPDX, and whether they are in the program, or only in tests and tools.
//
//go:embed licences.txt
var licenceList string

// licence is a line of the list.
type licence struct{ module, spdx, where string }

// licences reads the list.
func licences() (list []licence, err error) {
	for line := range strings.Lines(licenceList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != "program" && fields[2] != "tests" {
			return nil, fmt.Errorf("licences.txt: expected a module, a licence, and program or tests, found %q", line)
		}
		list = append(list, licence{fields[0], fields[1], fields[2]})
	}
	return list, nil
}

// module is one that go list prints.
type module struct{ Path, Dir string }

// linked returns the modules whose packages are in the program for a system.
func linked(t target) (list []module, err error) {
	text, err := output([]string{"CGO_ENABLED=0", "GOOS=" + t.system, "GOARCH=" + t.processor}, "go", "list", "-tags", programTags, "-deps", "-json=Module", "./cmd/pnmc")
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var p struct{ Module *struct{ Path, Dir string } }
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || p.Module.Path == "pnmc" {
			continue
		}
		if m := (module{p.Module.Path, p.Module.Dir}); !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// licenceName matches the names of files that a licence, or a notice that goes with it,
// stands in.
var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense|ofl)([.-].*)?$`)

// licenceTexts returns the files in a module's folder that have licences, and those in a folder
// of them.
func licenceTexts(folder string) (list []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if e.Type().IsRegular() && licenceName.MatchString(e.Name()) {
			list = append(list, path)
		}
		if e.IsDir() && strings.EqualFold(e.Name(), "licenses") {
			more, err := filepath.Glob(filepath.Join(path, "*.txt"))
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
	}
	return list, nil
}

// licenceFiles returns the licences of all that is in the program for a system: modules, the
// library of Go itself, and the libraries of pages.
//
// The tool that links the program says, for each system, what is in it. go.mod would not do: it
// also has modules that only tests need. A module without a file of a licence ends the release:
// it must be looked at by hand.
func licenceFiles(t target) (list []file, err error) {
	modules, err := linked(t)
	if err != nil {
		return nil, err
	}
	add := func(name, path string) error {
		text, err := os.ReadFile(path)
		if err == nil {
			list = append(list, file{"licences/" + name, text, false})
		}
		return err
	}
	for _, m := range modules {
		texts, err := licenceTexts(m.Dir)
		if err == nil && len(texts) == 0 {
			err = errors.New("there is no licence in it")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		for _, path := range texts {
			if err := add(m.Path+"/"+filepath.Base(path), path); err != nil {
				return nil, err
			}
		}
	}
	root, err := output(nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	if err := add("go-"+runtime.Version()+"/LICENSE", filepath.Join(strings.TrimSpace(root), "LICENSE")); err != nil {
		return nil, err
	}
	vendored, err := filepath.Glob("view/page/vendor/*.LICENSE")
	for _, path := range vendored {
		err = errors.Join(err, add("page/"+filepath.Base(path), path))
	}
	return list, err
}
