package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/experiment"
	"pnmc/internal/account"
	"pnmc/internal/cluster"
	"pnmc/internal/process"
	"pnmc/internal/unpack"
)

// measurements are those that a file has, and those that are made and go to its end.
type measurements[R experiment.AnyRecord[R]] struct {
	s       *measuring
	file    *os.File
	path    string
	chosen  bool // the user named the file
	planned int
	// Records are all that the file has; Done are those of the plan that need not be made.
	records []R
	done    map[experiment.Key]bool
	made    int
	begun   *os.File // where a task notes what it begins, or nil
	// Standing is how tasks stood before what they measured was read, if more may be handed out:
	// one that ends between the two would otherwise be neither, and measured again.
	standing *cluster.Standing
	// Progress shows them being made, from begin to end.
	progress *progress.Jobs
}

// measuredFile is how the name begins of a file of measurements that the user named none
// for, in the folder for temporary files.
const measuredFile = "pnmc-bench-*.csv"

// goOn opens the file of measurements that --output names, to add the planned ones, or else a new
// one in the folder for temporary files. Each measurement is written as soon as it is made, so that
// it is there whatever happens then.
//
// Of a file that is there it reads which of those planned resume finds done. They stay where they
// are, and new ones go to the end: no moment has less in the file than the one before. Only what an
// interruption left of a line is cut away. A file of an earlier version, which lacks columns, is
// written anew beside, and takes the place of the old one once it is whole.
func goOn[R experiment.AnyRecord[R]](s *measuring, keys []experiment.Key, resume func([]R) (experiment.Resumption, error)) (*measurements[R], error) {
	if s.task != nil {
		return goOnTask(s, keys, resume)
	}
	planned := len(keys)
	m := &measurements[R]{s: s, path: s.c.String("output"), chosen: true, planned: planned, standing: &cluster.Standing{}}
	if m.path == "" {
		file, err := os.CreateTemp("", measuredFile)
		if err == nil {
			m.file, m.path, m.chosen = file, file.Name(), false
			if err = experiment.WriteRecords[R](file, true); err != nil {
				err = errors.Join(err, file.Close(), os.Remove(m.path)) // nobody would look for it
			}
		}
		if err != nil {
			return nil, exit.InputError(fmt.Errorf("no place for measurements, --output names one: %w", err))
		}
		m.progress = s.Jobs(0, planned)
		return m, nil
	}
	var err error
	if m.file, err = OpenAlone(m.path); err != nil {
		return nil, exit.InputError(err)
	}
	if handsOut(s.c) {
		m.standing, err = standingOf(s, m.path)
	} else {
		err = refuseBesideTasks(s, m.path)
	}
	if err == nil {
		err = m.resume(resume)
	}
	if err != nil {
		m.file.Close()
		return nil, err
	}
	m.progress = s.Jobs(len(m.done), planned)
	return m, nil
}

// ErrBusy is that another process writes its measurements to the file.
var ErrBusy = errors.New("another bench is writing its measurements here: wait for its end, or choose another file")

// OpenAlone opens the file for measurements behind those that it has, or makes it. Two
// processes that measure at once would both make what is missing, and one cut away what the
// other is writing: ErrBusy is for the second.
func OpenAlone(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return output.OpenSpecial(path, info)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		var taken bool
		if taken, err = process.Lock(file); taken {
			err = fmt.Errorf("%s: %w", path, ErrBusy)
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// resume takes in what the open file has, and makes ready to add to it.
func (m *measurements[R]) resume(resume func([]R) (experiment.Resumption, error)) error {
	past, isRegular, err := pastMeasurements[R](m.s.c, m.path)
	if err != nil {
		return notRead(err)
	}
	more, err := m.ofTasks(past.Records)
	if err != nil {
		return err
	}
	resumption, err := resume(append(slices.Clip(past.Records), more...))
	if err != nil {
		return exit.UsageError("%s: %w", m.path, err)
	}
	if n := len(resumption.Done); n > 0 || resumption.Again > 0 {
		m.s.Say("%s: %d measurements are there, %d of them are made again", m.path, n+resumption.Again, resumption.Again)
	}
	if resumption.Untold > 0 {
		m.s.Say("%s: warning: %d measurements do not tell whether testing automata were made on the fly", m.path, resumption.Untold)
	}
	if past.Earlier {
		if err := replace(m.path, past.Records); err != nil {
			return err
		}
		// The lock of what was replaced is given back when this one is taken.
		replaced := m.file
		defer replaced.Close()
		if m.file, err = OpenAlone(m.path); err != nil {
			m.file = replaced
			return exit.InputError(err)
		}
	}
	if isRegular && !past.Earlier {
		err = m.file.Truncate(past.Length)
	}
	if err == nil && past.Length == 0 {
		err = experiment.WriteRecords[R](m.file, true)
	}
	if err == nil && len(more) > 0 {
		err = experiment.WriteRecords(m.file, false, more...)
	}
	if err != nil {
		return exit.InputError(err)
	}
	m.records, m.done = append(past.Records, more...), resumption.Done
	return nil
}

// add writes a measurement that was made, and shows the progress.
func (m *measurements[R]) add(r R, key experiment.Key) error {
	m.records = append(m.records, r)
	m.made++
	m.progress.End(measuredName(key))
	err := experiment.WriteRecords(m.file, false, r)
	if err == nil && m.begun != nil {
		err = m.file.Sync()
	}
	if err != nil {
		return exit.InputError(err)
	}
	return nil
}

// begin notes that a measurement begins.
func (m *measurements[R]) begin(key experiment.Key) {
	m.noteBegun(key)
	m.progress.Begin(measuredName(key))
}

// measuredName returns what the progress calls a measurement.
func measuredName(key experiment.Key) string {
	if key.OfGrowth() {
		return fmt.Sprintf("%s, %s, run %d", key.Model, key.Approach, key.Line)
	}
	return fmt.Sprintf("line %d of %s by %s", key.Line, key.Set, key.Approach)
}

// discard ends the log where others measure. The file may be closed.
func (m *measurements[R]) discard() {
	m.progress.Close()
	_ = m.file.Close() // nothing was added
}

// missing returns how many of those planned are neither there nor made.
func (m *measurements[R]) missing() int { return m.planned - len(m.done) - m.made }

// end closes the file after the measuring, which ended with an error or none, and says
// where measurements are and how to go on if some are missing. The error that it returns is
// the one to end with once what is known was shown.
func (m *measurements[R]) end(measuring error) error {
	m.progress.Close()
	closing := m.file.Close()
	if closing != nil {
		closing = exit.InputError(closing)
	}
	how := "the same command goes on"
	if !m.chosen {
		how = fmt.Sprintf("the same command with --output %s goes on", m.path)
	}
	there := m.planned - m.missing()
	switch {
	case m.s.c.Context.Err() != nil:
		m.s.unknown = m.s.unknown || m.missing() > 0
		interrupt.NoteWayTold(m.s.c.Context)
		m.s.Fail("%s: %d of %d measurements are in %s, %d are missing; %s", interrupt.Reason(m.s.c.Context), there, m.planned, m.path, m.missing(), how)
		measuring = nil // the exit code tells
	case m.missing() > 0:
		m.s.Fail("%d of %d measurements are in %s, %d are missing; %s", there, m.planned, m.path, m.missing(), how)
	case !m.chosen:
		m.s.Say("the measurements are in %s", m.path)
	}
	var known *exit.Failure
	if measuring != nil && !errors.As(measuring, &known) {
		measuring = exit.With(exit.Internal, measuring)
	}
	return errors.Join(measuring, closing)
}

// show prints the tables, and draws the plots if a directory is given. Above the tables
// it says what they lack.
func (m *measurements[R]) show(w io.Writer, tables func() error, directory string, plots map[string]drawing[R]) error {
	if m.missing() > 0 {
		if _, err := fmt.Fprintf(w, "PARTIAL: %d of %d measurements are missing from what follows.\n\n", m.missing(), m.planned); err != nil {
			return err
		}
	}
	if err := tables(); err != nil || directory == "" {
		return err
	}
	if err := drawPlots(directory, plots, m.records); err != nil {
		return exit.InputError(err)
	}
	return nil
}

// notRead returns the failure of a file of measurements that was not read: bad input, unless the
// error tells what else it is.
func notRead(err error) error {
	var told *exit.Failure
	if errors.As(err, &told) {
		return err
	}
	return exit.InputError(err)
}

// pastMeasurements reads the file, if there is one that can be read and gone on with, within the
// memory that there is.
func pastMeasurements[R experiment.AnyRecord[R]](c *cli.Context, path string) (past experiment.Contents[R], isRegular bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return past, false, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return past, false, err
	}
	file, err := unpack.OpenRegular(path)
	if err != nil {
		return past, true, err
	}
	defer file.Close()
	budget, err := limits.Budget(c)
	if err != nil {
		return past, true, err
	}
	ctx, stop := account.Within(c.Context, budget)
	defer stop(nil)
	past, err = experiment.ReadRecords[R](ctx, file, path)
	if ctx.Err() != nil {
		err = exit.With(exit.Unknown, fmt.Errorf("%s: %w while it was read", path, context.Cause(ctx)))
	}
	return past, true, err
}

// replace writes the records to a file beside, which then takes the place of path.
func replace[R experiment.AnyRecord[R]](path string, records []R) error {
	file, err := output.Create(path)
	if err != nil {
		return err
	}
	if err = experiment.WriteRecords(file, true, records...); err == nil {
		err = file.File.Sync()
	}
	if err != nil {
		file.Discard()
		return exit.InputError(err)
	}
	return file.Keep()
}
