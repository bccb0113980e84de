package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
)

// file is one of an archive.
type file struct {
	name    string // with slashes
	text    []byte
	program bool
}

// mode returns what may be done with it.
func (f *file) mode() int64 {
	if f.program {
		return 0o755
	}
	return 0o644
}

// sorted returns the files by name, so that archives do not depend on the order of finding them.
func sorted(files []file) []file {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

// writeTar writes files below a folder, of nobody in particular.
func writeTar(w io.Writer, folder string, files []file, when time.Time) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	for _, f := range sorted(files) {
		header := &tar.Header{Name: folder + "/" + f.name, Mode: f.mode(), Size: int64(len(f.text)), ModTime: when, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), zipped.Close())
}

// writeZip does the same for Windows.
func writeZip(w io.Writer, folder string, files []file, when time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range sorted(files) {
		header := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: when}
		part, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}
