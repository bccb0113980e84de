// Command release builds the archives that are handed out: for Linux, macOS and Windows, on
// amd64 and arm64.
//
// In comes the source, in its own folder; out come archives with the program, completions,
// manual pages, and the licences of all that is in the program. The same source and version of
// Go make the same bytes: no path, no name and no time of the machine is in them. The time in
// the archives is SOURCE_DATE_EPOCH, or that of the commit.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// target is a system that is built for.
type target struct{ system, processor string }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func (t target) String() string { return t.system + "-" + t.processor }

// program returns what the program's file is called.
func (t target) program() string {
	if t.system == "windows" {
		return "pnmc.exe"
	}
	return "pnmc"
}

func main() {
	version := flag.String("version", "", "the `name` of the release in the names of archives (default: git's description)")
	out := flag.String("out", "dist", "write into this `folder`")
	only := flag.String("only", "", "build for these `systems` only, such as linux-amd64, with commas between them")
	flag.Parse()
	if err := release(*version, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release builds all archives, and a file with their sums.
func release(version, out, only string) error {
	if version == "" {
		text, err := output(nil, "git", "describe", "--tags", "--always", "--dirty")
		if err != nil {
			return err
		}
		version = strings.TrimSpace(text)
	}
	when, err := sourceTime()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "pnmc-release-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	host := target{runtime.GOOS, runtime.GOARCH}
	own := filepath.Join(scratch, "own", host.program())
	if err := build(host, own); err != nil {
		return err
	}
	shared, err := sharedFiles(own, filepath.Join(scratch, "man"))
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, t := range targets {
		if only != "" && !strings.Contains(","+only+",", ","+t.String()+",") {
			continue
		}
		name, err := pack(t, version, out, scratch, shared, when)
		if err != nil {
			return fmt.Errorf("%v: %w", t, err)
		}
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), name)
		fmt.Printf("%s, %d bytes\n", filepath.Join(out, name), len(text))
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// pack builds for one system and writes its archive.
func pack(t target, version, out, scratch string, shared []file, when time.Time) (string, error) {
	program := filepath.Join(scratch, t.String(), t.program())
	if err := build(t, program); err != nil {
		return "", err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	licences, err := licenceFiles(t)
	if err != nil {
		return "", err
	}
	files := append([]file{{t.program(), text, true}}, shared...)
	files = append(files, licences...)
	folder := "pnmc-" + version + "-" + t.String()
	var archive bytes.Buffer
	name := folder + ".tar.gz"
	if t.system == "windows" {
		name = folder + ".zip"
		err = writeZip(&archive, folder, files, when)
	} else {
		err = writeTar(&archive, folder, files, when)
	}
	if err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(out, name), archive.Bytes(), 0o644)
}

// programTags leave out of the library for the command line what writes its help as a manual page:
// pnmc man does that by itself, and tables of another library would be made at each start.
const programTags = "urfave_cli_no_docs"

// build makes the program for a system.
//
// The bytes must not depend on the machine. So there is no C compiler involved, no path of a
// source (-trimpath), no identifier of the build (-buildid=), and no table of symbols (-s -w).
func build(t target, path string) error {
	_, err := output([]string{"CGO_ENABLED=0", "GOOS=" + t.system, "GOARCH=" + t.processor},
		"go", "build", "-buildvcs=auto", "-tags", programTags, "-trimpath", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/pnmc")
	return err
}

// sharedFiles returns those that all archives have: completions, manual pages, and what to read.
func sharedFiles(program, scratch string) (list []file, err error) {
	for shell, name := range map[string]string{"bash": "completions/pnmc.bash", "zsh": "completions/_pnmc", "fish": "completions/pnmc.fish"} {
		text, err := output(nil, program, "completion", shell)
		if err != nil {
			return nil, err
		}
		list = append(list, file{name, []byte(text), false})
	}
	if _, err := output(nil, program, "man", "-o", scratch); err != nil {
		return nil, err
	}
	pages, err := filepath.Glob(filepath.Join(scratch, "*.1"))
	if err != nil || len(pages) == 0 {
		return nil, errors.Join(errors.New("there are no manual pages"), err)
	}
	for _, page := range append(pages, "README.md", "CHANGELOG.md", "LICENSE") {
		text, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		name := page
		if strings.HasSuffix(page, ".1") {
			name = "man/man1/" + filepath.Base(page)
		}
		list = append(list, file{name, text, false})
	}
	return list, nil
}

// sourceTime returns the time that archives tell.
func sourceTime() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		var err error
		if text, err = output(nil, "git", "log", "-1", "--format=%ct"); err != nil {
			return time.Time{}, err
		}
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// output runs a program, and returns what it prints.
func output(environment []string, name string, arguments ...string) (string, error) {
	command := exec.Command(name, arguments...)
	command.Env = append(os.Environ(), environment...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	text, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, &complaints)
	}
	return string(text), nil
}
