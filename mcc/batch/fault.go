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
)

// Fault is why a run did not do what was asked, apart from its limits.
type Fault string

// The faults, as the journal spells them.
const (
	// NoFault: the run ended by itself or at its limits.
	NoFault Fault = ""
	// Absent: the examination has a property file, which the instance lacks; its model is there.
	Absent Fault = "absent"
	// Unread: the model or properties, or some of them, can't be read, or are not there.
	Unread Fault = "unread"
	// Failed: the program did not start, or ended in a way that it should not.
	Failed Fault = "failed"
	// Killed: somebody killed the program, which was not the batch: the system, most likely,
	// for want of memory.
	Killed Fault = "killed"
)

// faultOfFiles returns the fault of a run that was not begun for err, its model being there.
func faultOfFiles(err error) Fault {
	if errors.Is(err, fs.ErrNotExist) {
		return Absent
	}
	return Unread
}

// interruption is a word in what a program says that was asked to end by a signal.
const interruption = "interrupted"

// faultOf returns the fault of a process of the plan that ended by itself with err, and with
// these last words on standard error.
func (p *Plan) faultOf(err error, complaints string) Fault {
	var exit *exec.ExitError
	means := func(code int) bool { return code != 0 && errors.As(err, &exit) && exit.ExitCode() == code }
	switch {
	case means(p.LimitCode) && strings.Contains(complaints, interruption):
		return Killed
	case err == nil || means(p.LimitCode):
		return NoFault
	case means(p.UnreadCode):
		return Unread
	case errors.As(err, &exit) && process.WasKilled(exit.ProcessState):
		return Killed
	}
	return Failed
}

// toRepeat reports whether the run did not get as far as its program could: it was
// interrupted or killed, its program could not be started, or there was nothing to read. A
// program that ended by itself or at its limits would do the same again.
func (r *Run) toRepeat() bool {
	return !r.Ended || r.NotRun() || r.Fault == Killed || r.Fault == Unread && len(r.Answers) == 0
}

// needsRun reports whether a job is to be run, as r, which is what is known of it or nil, is no
// run of it that counts. It is the one rule for batches here and elsewhere. A job that could not be
// run is tried once by each command. The fault may have been that of a computer, of a file system
// that was not mounted or full, or of a file that was mended since. There is one exception: if the
// model was there, but the property file was missing and still is, there is nothing to try.
func (j plannedJob) needsRun(r *Run) bool {
	return r == nil || r.toRepeat() && (r.Fault != Absent || !j.lacksFile(r))
}

// lacksFile reports whether the property file that a run did not find is still not there: as
// can be seen in a folder, and of an archive by its time.
func (j plannedJob) lacksFile(r *Run) bool {
	if j.instance.Packed {
		return !j.changedSince(r)
	}
	return j.isAbsent()
}

// timeOfFiles is by how many seconds the time of a file may lag behind: systems tell it by ticks.
const timeOfFiles = 0.02

// changedSince reports whether the archive of a job was changed after a run of it began.
func (j plannedJob) changedSince(r *Run) bool {
	info, err := os.Stat(j.instance.Path)
	return err == nil && sinceEpoch(info.ModTime()) >= r.Begun-timeOfFiles
}

// isAbsent reports whether a folder with a model lacks the property file of an examination. Of
// an archive that is not known.
func (j plannedJob) isAbsent() bool {
	if j.instance.Packed || !mcc.HasPropertyFile(j.job.Examination) || modelIn(j.instance.Path) != nil {
		return false
	}
	for _, ending := range []string{".xml", ".xml.gz"} {
		if _, err := os.Stat(filepath.Join(j.instance.Path, j.job.Examination+ending)); !errors.Is(err, fs.ErrNotExist) {
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
