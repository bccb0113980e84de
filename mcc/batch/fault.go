package batch

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pnmc/internal/process"
	"pnmc/mcc"
	"pnmc/mcc/batch/history"
)

// faultOfFiles returns the fault of a run that was not begun for err, its model being there.
func faultOfFiles(err error) history.Fault {
	if errors.Is(err, fs.ErrNotExist) {
		return history.Absent
	}
	return history.Unread
}

// interruption is a word in what a program says that was asked to end by a signal.
const interruption = "interrupted"

// faultOf returns the fault of a process of the plan that ended by itself with err, and with
// these last words on standard error.
func (p *Plan) faultOf(err error, complaints string) history.Fault {
	var exit *exec.ExitError
	means := func(code int) bool { return code != 0 && errors.As(err, &exit) && exit.ExitCode() == code }
	switch {
	case means(p.LimitCode) && strings.Contains(complaints, interruption):
		return history.Killed
	case err == nil || means(p.LimitCode):
		return history.NoFault
	case means(p.UnreadCode):
		return history.Unread
	case errors.As(err, &exit) && process.WasKilled(exit.ProcessState):
		return history.Killed
	}
	return history.Failed
}

// NeedsRun reports whether a job is still to be run: r, which is what is known of it or nil, is no
// run that counts. It is the one rule for batches here and elsewhere. A job that could not be run
// is tried once by each command. The fault may have been that of a computer, of a file system that
// was not mounted or full, or of a file that was mended since. There is one exception: if the model
// was there, but the property file was missing and still is, there is nothing to try.
func (j Planned) NeedsRun(r *history.Run) bool {
	return r == nil || r.ToRepeat() && (r.Fault != history.Absent || !j.lacksFile(r))
}

// lacksFile reports whether the property file that a run did not find is still not there: as
// can be seen in a folder, and of an archive by its time.
func (j Planned) lacksFile(r *history.Run) bool {
	if j.Instance.Packed {
		return !j.changedSince(r)
	}
	return j.IsAbsent()
}

// timeOfFiles is by how many seconds the time of a file may lag behind: systems tell it by ticks.
const timeOfFiles = 0.02

// changedSince reports whether the archive of a job was changed after a run of it began.
func (j Planned) changedSince(r *history.Run) bool {
	info, err := os.Stat(j.Instance.Path)
	return err == nil && sinceEpoch(info.ModTime()) >= r.Begun-timeOfFiles
}

// IsAbsent reports whether a folder with a model lacks the property file of an examination. Of
// an archive that is not known.
func (j Planned) IsAbsent() bool {
	if j.Instance.Packed || !mcc.HasPropertyFile(j.Job.Examination) || modelIn(j.Instance.Path) != nil {
		return false
	}
	for _, ending := range []string{".xml", ".xml.gz"} {
		if _, err := os.Stat(filepath.Join(j.Instance.Path, j.Job.Examination+ending)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// modelIn returns why there is nothing called a model in a folder; nil if there is.
func modelIn(folder string) error {
	_, err := os.Stat(filepath.Join(folder, modelFile))
	if errors.Is(err, fs.ErrNotExist) {
		if _, packed := os.Stat(filepath.Join(folder, modelFile+".gz")); packed == nil {
			return nil
		}
	}
	return err
}
