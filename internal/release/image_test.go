package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// builder runs buildah with a store of the test, which needs no daemon.
type builder struct {
	t     *testing.T
	store string
}

func (b *builder) run(arguments ...string) string {
	b.t.Helper()
	command := exec.Command("buildah", append([]string{"--storage-driver", "vfs", "--root", filepath.Join(b.store, "root"), "--runroot", filepath.Join(b.store, "run")}, arguments...)...)
	command.Env = append(os.Environ(), "BUILDAH_ISOLATION=chroot")
	var complaints strings.Builder
	command.Stderr = &complaints
	text, err := command.Output()
	if err != nil {
		b.t.Fatalf("buildah %s: %v\n%s", strings.Join(arguments, " "), err, &complaints)
	}
	return strings.TrimSpace(string(text))
}

// goImage makes a stand-in for the image that the Containerfile builds in: an empty one, in
// which this machine's programs appear when it runs. It is built without a network then.
func (b *builder) goImage(name string) (volumes []string) {
	b.t.Helper()
	root := b.t.TempDir()
	for _, folder := range []string{"usr", "tmp", "root", "etc", "proc", "dev", "sys"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, folder := range []string{"bin", "lib", "lib64"} {
		if to, err := os.Readlink("/" + folder); err != nil || to != "usr/"+folder {
			b.t.Skipf("/%s is not part of /usr: no image to build in can be made of this machine", folder)
		}
		if err := os.Symlink("usr/"+folder, filepath.Join(root, folder)); err != nil {
			b.t.Fatal(err)
		}
	}
	text, err := output(nil, "go", "env", "GOROOT", "GOMODCACHE", "GOCACHE")
	if err != nil {
		b.t.Fatal(err)
	}
	own := strings.Fields(text)
	container := b.run("from", "scratch")
	b.run("copy", "-q", container, root, "/")
	b.run("config", "--env", "PATH="+own[0]+"/bin:/usr/bin", "--env", "GOMODCACHE=/modules", "--env", "GOCACHE=/cache",
		"--env", "GOPROXY=off", "--env", "GOTOOLCHAIN=local", container)
	b.run("commit", "-q", "--rm", container, name)
	volumes = []string{"/usr:/usr:ro", own[1] + ":/modules", own[2] + ":/cache"}
	if !strings.HasPrefix(own[0], "/usr/") {
		volumes = append(volumes, own[0]+":"+own[0]+":ro")
	}
	return volumes
}

// cloneSource clones the source, so that the program knows its commit, with the Containerfile
// as it stands here.
func cloneSource(t *testing.T, to string) {
	t.Helper()
	if _, err := output(nil, "git", "clone", "-q", "--no-hardlinks", ".", to); err != nil {
		t.Skipf("the source is in no repository: %v", err)
	}
	for _, name := range []string{"Containerfile", ".containerignore"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestImage builds the Containerfile's image, whose only file is the program, and runs it.
func TestImage(t *testing.T) {
	switch _, err := exec.LookPath("buildah"); {
	case !*whole:
		t.Skip("it builds the program, which takes a minute: -release does")
	case runtime.GOOS != "linux" || err != nil:
		t.Skip("there is no buildah: the image is not built")
	}
	inSource(t)
	b := &builder{t, t.TempDir()}
	text, err := os.ReadFile("Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	base := regexp.MustCompile(`(?m)^FROM (\S+) AS build$`).FindSubmatch(text)
	if base == nil {
		t.Fatal("there is no image to build in")
	}
	build := []string{"bud", "-q", "--isolation", "chroot", "--pull-never", "-t", "pnmc"}
	for _, volume := range b.goImage(string(base[1])) {
		build = append(build, "--volume", volume)
	}
	source := filepath.Join(t.TempDir(), "source")
	cloneSource(t, source)
	b.run(append(build, source)...)
	layout := filepath.Join(t.TempDir(), "layout")
	b.run("push", "-q", "localhost/pnmc", "oci:"+layout+":pnmc")
	files, entry, folder := readLayout(t, layout)
	if !slices.Equal(files, []string{"pnmc"}) || !slices.Equal(entry, []string{"/pnmc"}) || folder != "/work" {
		t.Errorf("the image has %q, and begins %q in %s", files, entry, folder)
	}
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	container := b.run("from", "localhost/pnmc")
	if said := b.run("run", "--isolation", "chroot", "-v", testdata+":/work:ro", container, "/pnmc", "--pnml", "philosophers.pnml", "--deadlock"); !strings.HasPrefix(said, "FORMULA deadlock TRUE") {
		t.Errorf("the program says %q", said)
	}
	commit, err := output(nil, "git", "rev-parse", "HEAD")
	if said := b.run("run", "--isolation", "chroot", container, "/pnmc", "--version"); err != nil || !strings.Contains(said, strings.TrimSpace(commit)[:12]) {
		t.Errorf("the program is %q, of the commit %s %v", said, commit, err)
	}
	b.run("rm", "-a")
}

// readLayout reads an image in the form that the Open Container Initiative describes: its
// regular files, what it runs, and where.
func readLayout(t *testing.T, folder string) (files, entry []string, directory string) {
	t.Helper()
	type blob struct{ Digest string }
	read := func(path string, into any) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := func(b blob) string { return filepath.Join(folder, "blobs", strings.ReplaceAll(b.Digest, ":", "/")) }
	var index struct{ Manifests []blob }
	read(filepath.Join(folder, "index.json"), &index)
	var manifest struct {
		Config blob
		Layers []blob
	}
	read(path(index.Manifests[0]), &manifest)
	var config struct {
		Config struct {
			Entrypoint []string
			WorkingDir string
		}
	}
	read(path(manifest.Config), &config)
	for _, layer := range manifest.Layers {
		file, err := os.Open(path(layer))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		zipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(zipped); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Typeflag != tar.TypeDir {
				files = append(files, h.Name)
			}
		}
	}
	return files, config.Config.Entrypoint, config.Config.WorkingDir
}
