package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"debug/elf"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

var whole = flag.Bool("release", false, "build an archive twice and look into it")

// inSource goes to the folder of the source.
func inSource(t *testing.T) {
	t.Helper()
	t.Chdir("../..")
}

// TestLicenceList: the list has the modules of go.mod and no others, and says which are in the
// program.
func TestLicenceList(t *testing.T) {
	inSource(t)
	list, err := licences()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var required, listed []string
	for _, found := range regexp.MustCompile(`(?m)^\t(\S+) v\S+`).FindAllStringSubmatch(string(text), -1) {
		required = append(required, found[1])
	}
	where := make(map[string]string)
	for _, l := range list {
		listed = append(listed, l.module)
		where[l.module] = l.where
	}
	slices.Sort(required)
	if !slices.Equal(required, listed) {
		t.Errorf("go.mod has\n%q\nlicences.txt, which is sorted, has\n%q", required, listed)
	}
	inProgram := make(map[string]bool)
	for _, target := range targets {
		if target.processor != "amd64" { // the same modules on all processors
			continue
		}
		modules, err := linked(target)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range modules {
			inProgram[m.Path] = true
		}
	}
	for _, module := range listed {
		if inProgram[module] != (where[module] == "program") {
			t.Errorf("%s is in the program: %v; licences.txt says %s", module, inProgram[module], where[module])
		}
	}
}

// phrases are words by which the text of a licence is known.
var phrases = map[string]string{
	"MIT":          "Permission is hereby granted, free of charge",
	"Apache-2.0":   "Apache License",
	"BSD-2-Clause": "Redistributions in binary form must reproduce",
	"BSD-3-Clause": "Neither the name of",
	"MPL-2.0":      "Mozilla Public License",
	"Unlicense":    "This is free and unencumbered software released into the public domain",
	"FTL":          "FreeType",
	"CC-BY-4.0":    "Creative Commons Attribution 4.0",
}

// TestLicenceTexts: each module in the program has the licence that the list says, and its text
// goes with the program.
func TestLicenceTexts(t *testing.T) {
	inSource(t)
	list, err := licences()
	if err != nil {
		t.Fatal(err)
	}
	files, err := licenceFiles(target{"linux", "amd64"})
	if err != nil {
		t.Fatal(err)
	}
	modules, err := linked(target{"linux", "amd64"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		i := slices.IndexFunc(list, func(l licence) bool { return l.module == m.Path })
		if i < 0 {
			continue // TestLicenceList tells
		}
		var text []byte
		for _, f := range files {
			if strings.HasPrefix(f.name, "licences/"+m.Path+"/") {
				text = append(text, f.text...)
			}
		}
		phrase := phrases[list[i].spdx]
		if plain := strings.Join(strings.Fields(string(text)), " "); phrase == "" || !strings.Contains(plain, phrase) {
			t.Errorf("%s: the licence is not %s: %.200s", m.Path, list[i].spdx, plain)
		}
	}
	libraries, err := filepath.Glob("view/page/vendor/*.min.js")
	if err != nil || len(libraries) < 10 {
		t.Fatalf("libraries of pages: %q, %v", libraries, err)
	}
	for _, library := range libraries {
		name := "licences/page/" + strings.TrimSuffix(filepath.Base(library), ".min.js") + ".LICENSE"
		i := slices.IndexFunc(files, func(f file) bool { return f.name == name })
		if i < 0 || !bytes.Contains(files[i].text, []byte("Copyright")) {
			t.Errorf("%s is missing, or no licence", name)
		}
	}
}

// TestArchives: an archive has all files, in the same bytes whatever the order in which they
// were found.
func TestArchives(t *testing.T) {
	when := time.Unix(1_700_000_000, 0).UTC()
	files := []file{{"pnmc", []byte("program"), true}, {"README.md", []byte("read me"), false}, {"licences/a/LICENSE", []byte("a"), false}}
	turned := slices.Clone(files)
	slices.Reverse(turned)
	for _, write := range []func(io.Writer, string, []file, time.Time) error{writeTar, writeZip} {
		var a, b bytes.Buffer
		if err := write(&a, "pnmc-1", files, when); err != nil {
			t.Fatal(err)
		}
		if err := write(&b, "pnmc-1", turned, when); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Error("two archives of the same files differ")
		}
		found := map[string]string{}
		if zipped, err := gzip.NewReader(bytes.NewReader(a.Bytes())); err == nil {
			for r := tar.NewReader(zipped); ; {
				h, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if want := map[bool]int64{true: 0o755, false: 0o644}[strings.HasSuffix(h.Name, "/pnmc")]; h.Mode != want || h.Uid != 0 || h.Uname != "" || !h.ModTime.Equal(when) {
					t.Errorf("%+v", h)
				}
				text, _ := io.ReadAll(r)
				found[h.Name] = string(text)
			}
		} else {
			r, err := zip.NewReader(bytes.NewReader(a.Bytes()), int64(a.Len()))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.File {
				text, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				all, _ := io.ReadAll(text)
				found[f.Name] = string(all)
			}
		}
		if len(found) != 3 || found["pnmc-1/pnmc"] != "program" || found["pnmc-1/licences/a/LICENSE"] != "a" {
			t.Errorf("an archive has %q", found)
		}
	}
}

// TestRelease builds the archive for one system twice, in two clones of the source, by users
// with other homes, languages, times and masks of permissions, the second of whom has nothing
// compiled before: it has all that it should, the same bytes, and a program that needs nothing
// else.
func TestRelease(t *testing.T) {
	if !*whole {
		t.Skip("it builds the program, which takes a minute: -release does")
	}
	if runtime.GOOS == "windows" {
		t.Skip("permissions are masked by a shell")
	}
	inSource(t)
	kept, err := output(nil, "go", "env", "GOCACHE", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(kept)
	var archives [][]byte
	for i, place := range []struct{ folder, mask, zone, language, cache string }{
		{"a", "022", "UTC", "C", caches[0]},
		{"another folder/with a longer name", "077", "Asia/Tokyo", "de_DE.UTF-8", t.TempDir()},
	} {
		source, out := filepath.Join(t.TempDir(), place.folder), t.TempDir()
		cloneSource(t, source)
		when := time.Now().Add(-time.Duration(i) * 1000 * time.Hour)
		if err := os.Chtimes(filepath.Join(source, "README.md"), when, when); err != nil {
			t.Fatal(err)
		}
		command := exec.Command("sh", "-c", "umask "+place.mask+` && exec go run ./internal/release -version test -out "$OUT" -only linux-amd64`)
		command.Dir = source
		command.Env = append(os.Environ(), "OUT="+out, "TZ="+place.zone, "LC_ALL="+place.language, "HOME="+t.TempDir(), "USER=user"+place.mask,
			"PWD="+source, "GOCACHE="+place.cache, "GOMODCACHE="+caches[1], "SOURCE_DATE_EPOCH=")
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		text, err := os.ReadFile(filepath.Join(out, "pnmc-test-linux-amd64.tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, text)
	}
	if !bytes.Equal(archives[0], archives[1]) {
		t.Error("two builds differ")
	}
	zipped, err := gzip.NewReader(bytes.NewReader(archives[0]))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(zipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.TrimPrefix(h.Name, "pnmc-test-linux-amd64/"))
		if !strings.HasSuffix(h.Name, "/pnmc") {
			continue
		}
		program, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		binary, err := elf.NewFile(bytes.NewReader(program))
		if err != nil {
			t.Fatal(err)
		}
		if libraries, _ := binary.ImportedLibraries(); len(libraries) > 0 || binary.Section(".interp") != nil {
			t.Errorf("the program needs %q", libraries)
		}
		info, err := buildinfo.Read(bytes.NewReader(program))
		if err != nil || !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "vcs.revision" }) {
			t.Errorf("the program does not know its commit: %v", err)
		}
		if root, err := os.Getwd(); err != nil || bytes.Contains(program, []byte(root)) {
			t.Error("the program has the path of the source in it")
		}
	}
	for _, name := range []string{"pnmc", "README.md", "LICENSE", "man/man1/pnmc.1", "man/man1/pnmc-mcc.1", "completions/pnmc.bash", "completions/_pnmc", "completions/pnmc.fish", "licences/github.com/urfave/cli/v2/LICENSE"} {
		if !slices.Contains(names, name) {
			t.Errorf("the archive lacks %s, it has %q", name, names)
		}
	}
}

// TestContainerfile: the image begins with nothing, and gets the program alone.
func TestContainerfile(t *testing.T) {
	inSource(t)
	text, err := os.ReadFile("Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, last, found := strings.Cut(string(text), "\nFROM scratch\n")
	if !found || strings.Contains(last, "FROM ") {
		t.Fatal("the last stage does not begin with scratch")
	}
	var copies []string
	for line := range strings.Lines(last) {
		switch word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word {
		case "COPY", "ADD":
			copies = append(copies, strings.TrimSpace(line))
		case "", "ENTRYPOINT", "USER", "WORKDIR", "LABEL":
		default:
			if !strings.HasPrefix(line, "#") {
				t.Errorf("the last stage has %q", line)
			}
		}
	}
	if !slices.Equal(copies, []string{"COPY --from=build /pnmc /pnmc"}) {
		t.Errorf("the image gets %q", copies)
	}
	if !strings.Contains(string(text), "CGO_ENABLED=0") {
		t.Error("the program is not built without C")
	}
}
