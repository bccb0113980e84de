package batch

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"pnmc/internal/unpack"
)

const (
	// mostUnpacked bounds what an archive may unpack to, in bytes.
	mostUnpacked = 8 << 30
	// mostFiles bounds how many files may be in one: those of the contest have less than a hundred.
	mostFiles = 1000
)

// open returns a folder with the files of i, made below scratch if i is an archive;
// remove takes it away again. It ends with ctx.
func (i Instance) open(ctx context.Context, scratch string) (folder string, remove func() error, err error) {
	if !i.Packed {
		return i.Path, func() error { return nil }, nil
	}
	folder, err = os.MkdirTemp(scratch, i.Name+"-")
	if err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(folder) }
	if err := extract(ctx, i.Path, folder); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = fmt.Errorf("%w while it was unpacked", cause)
		}
		return "", nil, errors.Join(fmt.Errorf("%s: %w", i.Path, err), remove())
	}
	return folder, remove, nil
}

// extract writes the files of an archive into folder, whatever folder they lie in there: the contest's
// files are all in one. So no path in an archive leads out of the folder. Links and other special
// files are left out, and so is whatever would exceed mostUnpacked or mostFiles, with an error.
func extract(ctx context.Context, archive, folder string) error {
	f, err := unpack.OpenRegular(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(readerWithin{ctx, f})
	if err != nil {
		if errors.Is(err, gzip.ErrHeader) {
			err = errors.New("found something else")
		}
		return fmt.Errorf("expected a tar archive compressed by gzip: %w", cutOff(err))
	}
	left, files := int64(mostUnpacked), 0
	for reader := tar.NewReader(readerWithin{ctx, unzipped}); ; {
		header, err := reader.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the archive is %w", cutOff(err))
		}
		if left -= header.Size; left < 0 { // what is left out is unpacked, too, to be passed
			return fmt.Errorf("it unpacks to more than %d bytes", int64(mostUnpacked))
		}
		if files++; files > mostFiles {
			return fmt.Errorf("it has more than %d files", mostFiles)
		}
		name := path.Base(path.Clean("/" + header.Name))
		if header.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			continue
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

// readerWithin reads until ctx ends, whose cause is the error then.
type readerWithin struct {
	ctx context.Context
	r   io.Reader
}

// Read reads a part, which is small.
func (r readerWithin) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}
