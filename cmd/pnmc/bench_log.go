package main

import (
	"errors"
	"io"
	"os"

	"pnmc/experiment"
)

// goOn opens the file of measurements that --output names for further ones, and
// returns those that it has, and which of those planned resume finds done. What was
// measured stays where it is: only what an interruption left of a line is cut away,
// and a file that lacks columns is replaced by one that has them once that is whole.
func goOn[R any](s *session, read func(io.Reader, string) (experiment.Contents[R], error), write func(io.Writer, bool, ...R) error,
	resume func([]R) (experiment.Resumption, error)) ([]R, io.WriteCloser, map[experiment.Key]bool, error) {
	path := s.c.String("output")
	if path == "" {
		return nil, discard{}, nil, nil
	}
	past, isRegular, err := pastMeasurements(path, read)
	if err != nil {
		return nil, nil, nil, inputError(err)
	}
	resumption, err := resume(past.Records)
	if err != nil {
		return nil, nil, nil, usageError("%s: %w", path, err)
	}
	if n := len(resumption.Done); n > 0 || resumption.Again > 0 {
		s.say("%s: %d measurements are there, %d of them are made again", path, n+resumption.Again, resumption.Again)
	}
	if resumption.Untold > 0 {
		s.say("%s: warning: %d measurements do not tell whether testing automata were made on the fly", path, resumption.Untold)
	}
	if past.Earlier {
		if err := replace(path, past.Records, write); err != nil {
			return nil, nil, nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, nil, inputError(err)
	}
	if isRegular && !past.Earlier {
		err = file.Truncate(past.Length)
	}
	if err == nil && past.Length == 0 {
		err = write(file, true)
	}
	if err != nil {
		file.Close()
		return nil, nil, nil, inputError(err)
	}
	return past.Records, file, resumption.Done, nil
}

// pastMeasurements reads the file, if there is one that can be read and gone on with.
func pastMeasurements[R any](path string, read func(io.Reader, string) (experiment.Contents[R], error)) (past experiment.Contents[R], isRegular bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return past, false, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return past, false, err
	}
	file, err := os.Open(path)
	if err != nil {
		return past, true, err
	}
	defer file.Close()
	past, err = read(file, path)
	return past, true, err
}

// replace writes the records to a file beside, which then takes the place of path.
func replace[R any](path string, records []R, write func(io.Writer, bool, ...R) error) error {
	file, err := createOutput(path)
	if err != nil {
		return err
	}
	if err = write(file, true, records...); err == nil {
		err = file.file.Sync()
	}
	if err != nil {
		file.discard()
		return inputError(err)
	}
	return file.keep()
}

// discard is a log that nobody reads.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }
