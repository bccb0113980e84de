package history

import (
	"strings"

	"pnmc/internal/unpack"
)

// Job is an examination of an instance.
type Job struct{ Instance, Examination string }

// String returns the name of a job: no examination has a space.
func (j Job) String() string { return j.Instance + " " + j.Examination }

// ParseJob returns the job that String names.
func ParseJob(name string) Job {
	i := max(0, strings.LastIndexByte(name, ' '))
	return Job{name[:i], strings.TrimPrefix(name[i:], " ")}
}

// PageName returns what the page that shows the answers of a run of the job is called.
func (j Job) PageName() string { return j.Instance + "-" + j.Examination + ".html" }

// Family returns the model of the job's instance: its name up to the first hyphen.
func (j Job) Family() string {
	family, _, _ := strings.Cut(j.Instance, "-")
	return family
}

// Settings are what all runs of a batch have in common. A journal is of one
// setting only: what took longer elsewhere is no measure.
type Settings struct {
	Seconds     int   `json:"seconds"`
	MemoryBytes int64 `json:"memory_bytes"`
}

// Fault is why a run did not do what was asked, apart from its limits.
type Fault string

// The faults, as the journal spells them.
const (
	// NoFault: the run ended by itself or at its limits.
	NoFault Fault = ""
	// Absent: the examination has a property file, which the instance lacks; its model is there.
	Absent Fault = "absent"
	// Unread: the model or properties, or some of them, can't be read, or are not there; or the
	// program could not write what it was told to, such as a page.
	Unread Fault = "unread"
	// Failed: the program did not start, or ended in a way that it should not.
	Failed Fault = "failed"
	// Killed: somebody killed the program, which was not the batch: the system, most likely,
	// for want of memory.
	Killed Fault = "killed"
)

// Run is what is known of a job: of its last start, with the answers of all.
type Run struct {
	Job
	// Questions are what is asked: identifiers of formulas, the measures of a
	// state space, or the name of the examination itself.
	Questions []string
	// Answers, in the order in which they came; those of a run that was cut off
	// are kept.
	Answers []Answer
	// Contradictions are answers that differ from one given before.
	Contradictions []Answer
	// Ended says that the run came to its end; whether it counts, ToRepeat decides.
	Ended bool
	// End says how it ended: "" by itself, else why not.
	End string
	// Fault is what was wrong, if it ended and something was.
	Fault Fault
	// Seconds of the whole run, and the most memory that its process had, 0 where
	// that is not known.
	Seconds   float64
	PeakBytes int64
	// Host and Processor are where it ran: the computer, and the model of its processor.
	Host, Processor string
	// Begun is when, in seconds since 1970.
	Begun float64
	// Lost is how often it was killed, or was begun again with neither end nor interruption
	// before: its computer failed, or it had too much memory.
	Lost int
	// open says that it was begun, and nothing more is known.
	open bool
	// given is nil until many questions are looked for, and whenever a list of the run is another one.
	given *given
}

// ToRepeat reports whether the run ended too early through no fault of its program: it was
// interrupted or killed, its program could not be started, or a file could not be read or written.
// A file may be mended, and a disk have room again, whatever was answered before that. Any other
// program that ended by itself or at its limits would do the same again.
func (r *Run) ToRepeat() bool {
	return !r.Ended || r.NotRun() || r.Fault == Killed || r.Fault == Unread
}

// IsOpen reports whether the run was begun and nothing more is known of it.
func (r *Run) IsOpen() bool { return r.open }

// Losses returns how often the run was begun and then lost: it was killed, or nothing more is known
// of it. A run that has no end in the journal counts as lost. So this is not to be asked of one that
// runs now.
func (r *Run) Losses() int {
	if r.open {
		return r.Lost + 1
	}
	return r.Lost
}

// Ending says in a few words how a run ended.
func (r *Run) Ending() string {
	switch {
	case !r.Ended:
		return "interrupted"
	case r.End == "":
		return "by itself"
	}
	return r.End
}

// notRun begins the end of a run whose files could not be read, or whose program could not be
// started.
const notRun = "not run: "

// NotRun reports whether no process was started, as files could not be read, or there was no
// program.
func (r *Run) NotRun() bool { return strings.HasPrefix(r.End, notRun) }

// CouldNotRun notes that no process was started, and why.
func (r *Run) CouldNotRun(err error, fault Fault) {
	r.End, r.Fault = notRun+unpack.Words(err), fault
}

// WhyNotRun returns the words in which CouldNotRun noted why.
func (r *Run) WhyNotRun() string { return strings.TrimPrefix(r.End, notRun) }
