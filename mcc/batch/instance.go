package batch

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
// An instance that is named twice is taken once: as a folder, where an archive of it lies beside it. It is
// an error if two in different places have the same name, by which answers are told apart. Archives are not opened yet.
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
	slices.SortStableFunc(list, func(a, b Instance) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(packed(a), packed(b))) })
	for i := 1; i < len(list); i++ {
		if a, b := list[i-1], list[i]; a.Name == b.Name && !a.isAlso(b) {
			return nil, fmt.Errorf("two instances are called %s, which answers could not tell apart: %s and %s; name one of them, or rename it", a.Name, a.Path, b.Path)
		}
	}
	return slices.CompactFunc(list, func(a, b Instance) bool { return a.Name == b.Name }), nil
}

// packed orders folders before archives.
func packed(i Instance) int {
	if i.Packed {
		return 1
	}
	return 0
}

// isAlso reports whether an instance of the same name is the same one: they lie in the same folder.
func (i Instance) isAlso(other Instance) bool {
	a, err := os.Stat(filepath.Dir(i.Path))
	b, failed := os.Stat(filepath.Dir(other.Path))
	return err == nil && failed == nil && os.SameFile(a, b)
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
