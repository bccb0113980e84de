package batch

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pnmc/internal/unpack"
)

// Instance is a model of the contest with its property files: a folder, or an
// archive of one.
type Instance struct {
	// Name is that of the folder, such as Philosophers-PT-000010.
	Name string
	// Path is the folder, or the archive.
	Path string
	// Packed says that it is an archive.
	Packed bool
}

// modelFile is what makes a folder an instance.
const modelFile = "model.pnml"

const (
	// packing is how much larger a model is than what is left of its archive without the
	// property files, which take about formulaBytes of it.
	packing      = 6
	formulaBytes = 20_000
)

var archiveEndings = []string{".tgz", ".tar.gz"}

// Find lists the instances that paths name, sorted by name. A path may be of four kinds:
//
//	inputs/Philosophers-PT-000010             a folder with a model
//	inputs/Philosophers-PT-000010/model.pnml  the model in it
//	inputs/Philosophers-PT-000010.tgz         an archive of such a folder
//	inputs                                    a folder of such folders and archives
//
// An instance that is named twice is taken once. Archives are not opened yet.
func Find(paths []string) ([]Instance, error) {
	var list []Instance
	for _, p := range paths {
		found, err := find(p)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: expected a folder with a file %s, a folder of such folders or of archives, or an archive that ends in %s",
				p, modelFile, strings.Join(archiveEndings, " or "))
		}
		list = append(list, found...)
	}
	slices.SortStableFunc(list, func(a, b Instance) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(list, func(a, b Instance) bool { return a.Name == b.Name }), nil
}

// find finds the instances of one path.
func find(p string) ([]Instance, error) {
	info, err := os.Stat(p)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		i, ok := archive(p)
		if !ok && IsModel(p) {
			i, ok = folder(filepath.Dir(p))
		}
		if ok {
			return []Instance{i}, nil
		}
		return nil, nil
	}
	if i, ok := folder(p); ok {
		return []Instance{i}, nil
	}
	entries, err := os.ReadDir(p)
	if err != nil {
		return nil, err
	}
	var list []Instance
	for _, e := range entries {
		inner := filepath.Join(p, e.Name())
		i, ok := archive(inner)
		if !ok {
			i, ok = folder(inner)
		}
		if ok {
			list = append(list, i)
		}
	}
	return list, nil
}

// IsModel reports whether a file is called as the model of an instance is, which may be
// compressed: its folder is meant then.
func IsModel(path string) bool {
	return strings.TrimSuffix(filepath.Base(path), ".gz") == modelFile
}

// HasModel reports whether a model lies in a folder.
func HasModel(folder string) bool {
	for _, name := range []string{modelFile, modelFile + ".gz"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// folder returns the instance in a folder, if there is something called a model in it: whether
// it is one shows when its turn comes.
func folder(p string) (Instance, bool) {
	_, err := os.Lstat(filepath.Join(p, modelFile))
	if _, packed := os.Lstat(filepath.Join(p, modelFile+".gz")); err != nil && packed != nil {
		return Instance{}, false
	}
	absolute, err := filepath.Abs(p)
	return Instance{Name: filepath.Base(absolute), Path: absolute}, err == nil
}

// archive returns the instance in a file that its name calls an archive: what is in it shows
// when its turn comes.
func archive(p string) (Instance, bool) {
	for _, ending := range archiveEndings {
		if name, ok := strings.CutSuffix(filepath.Base(p), ending); ok {
			absolute, err := filepath.Abs(p)
			return Instance{Name: name, Path: absolute, Packed: true}, err == nil
		}
	}
	return Instance{}, false
}

// mostUnpacked bounds what an archive may unpack to, in bytes.
const mostUnpacked = 8 << 30

// open returns a folder with the files of i, made below scratch if i is an archive;
// remove takes it away again.
func (i Instance) open(scratch string) (folder string, remove func() error, err error) {
	if !i.Packed {
		return i.Path, func() error { return nil }, nil
	}
	folder, err = os.MkdirTemp(scratch, i.Name+"-")
	if err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(folder) }
	if err := extract(i.Path, folder); err != nil {
		return "", nil, errors.Join(fmt.Errorf("%s: %w", i.Path, err), remove())
	}
	return folder, remove, nil
}

// extract writes the files of an archive into folder, whatever folder they lie in there: the contest's
// files are all in one. So no path in an archive leads out of the folder. Links and other special
// files are left out, and so is whatever would exceed mostUnpacked, with an error.
func extract(archive, folder string) error {
	if err := unpack.Regular(archive); err != nil {
		return err
	}
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		if errors.Is(err, gzip.ErrHeader) {
			err = errors.New("found something else")
		}
		return fmt.Errorf("expected a tar archive compressed by gzip: %w", cutOff(err))
	}
	left := int64(mostUnpacked)
	for reader := tar.NewReader(unzipped); ; {
		header, err := reader.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the archive is %w", cutOff(err))
		}
		name := path.Base(path.Clean("/" + header.Name))
		if header.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			continue
		}
		if left -= header.Size; left < 0 {
			return fmt.Errorf("it unpacks to more than %d bytes", int64(mostUnpacked))
		}
		if err := write(filepath.Join(folder, name), reader); err != nil {
			return fmt.Errorf("%s in the archive: %w", name, cutOff(err))
		}
	}
}

// cutOff returns err in words, if it says that an archive ends early or is none.
func cutOff(err error) error {
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("cut off")
	case errors.Is(err, gzip.ErrChecksum) || errors.Is(err, tar.ErrHeader):
		return fmt.Errorf("damaged: %w", err)
	}
	return err
}

// write makes a file of the text.
func write(path string, text io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, text)
	return errors.Join(err, f.Close())
}

// Size returns about how many bytes the model of an instance has; 0 if that is not known.
func (i Instance) Size() int64 {
	if i.Packed {
		return packing * max(0, size(i.Path)-formulaBytes)
	}
	path := filepath.Join(i.Path, modelFile)
	return max(size(path), packing*size(path+".gz"))
}

// size returns that of a file, or 0.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
