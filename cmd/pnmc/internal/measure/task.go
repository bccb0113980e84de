package measure

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/experiment"
	"pnmc/internal/cluster"
	"pnmc/internal/unpack"
)

// taskFlag is the flag by which a scheduler has a bench make only the measurements of a task.
// Its value is the record, and the argument behind it is the number of the task.
const taskFlag = "task"

// TaskFlag returns the flag for schedulers.
func TaskFlag() cli.Flag { return &cli.StringFlag{Name: taskFlag, Hidden: true} }

// work is what a task needs to know beside the arguments of the command.
type work struct {
	// Folder is the one in which the command was given.
	Folder string `json:"folder"`
}

// task is a part of a bench that a scheduler runs.
type task struct {
	record *cluster.Record
	number int
	jobs   map[string]bool // by name
	lines  map[int]bool    // of files of properties
	begun  time.Time
	limit  time.Duration
}

// readTask reads the task that the flag and the argument name, and goes to the folder in which
// the command was given.
func readTask(c *cli.Context) (*task, error) {
	path, err := filepath.Abs(c.String(taskFlag))
	if err != nil {
		return nil, exit.InputError(err)
	}
	text := c.Args().First()
	for _, variable := range []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"} {
		if text == "" {
			text = os.Getenv(variable)
		}
	}
	number, err := strconv.Atoi(text)
	if err != nil || c.NArg() > 1 {
		return nil, exit.UsageError("--%s: expected the number of a task behind it, found %q", taskFlag, c.Args().Slice())
	}
	t := &task{number: number, begun: time.Now(), jobs: map[string]bool{}, lines: map[int]bool{}}
	if t.record, err = cluster.ReadRecord(path); err != nil {
		return nil, exit.InputError(err)
	}
	of, err := t.record.Task(number)
	if err != nil {
		return nil, exit.InputError(err)
	}
	var w work
	if err := json.Unmarshal(t.record.Work, &w); err != nil {
		return nil, exit.InputError(fmt.Errorf("%s: expected a bench: %w", path, err))
	}
	if err := os.Chdir(w.Folder); err != nil {
		return nil, exit.InputError(err)
	}
	t.limit = of.Limit()
	for _, j := range of.Jobs {
		t.jobs[j], t.lines[lineOf(j)] = true, true
	}
	if cores := t.record.Cores; cores > 0 && cores < runtime.NumCPU() {
		runtime.GOMAXPROCS(cores)
	}
	return t, nil
}

// mayBegin reports whether a measurement that begins now, and takes as long as one may, is over
// within the time of the task.
func (t *task) mayBegin(longest float64) bool {
	return time.Since(t.begun).Seconds()+longest < t.limit.Seconds()
}

// begunEnding is that of files to which a task writes what it begins.
const begunEnding = ".begun"

// mostBegun bounds the bytes of such a file: hundreds of thousands of measurements fit in.
const mostBegun = 64 << 20

// mostStarts is how often the starts of a task begin a measurement: one that ended the task each
// time would keep all others from their turn. The next submission has a task of its own for it.
const mostStarts = 2

// begunIn counts how often measurements were begun by the file of a task; none if there is no
// such file yet.
func begunIn(path string) (map[string]int, error) {
	text, err := unpack.ReadRegular(path, mostBegun)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	begun := make(map[string]int)
	for line := range strings.Lines(string(text)) {
		begun[strings.TrimSuffix(line, "\n")]++
	}
	return begun, nil
}

// taskFiles returns the files with measurements of tasks in a folder. It is an error if one is no regular
// file.
func taskFiles(folder string) ([]string, error) {
	paths, err := filepath.Glob(cluster.Pattern(folder, "measured-*.csv"))
	slices.Sort(paths)
	for _, path := range paths {
		err = cmp.Or(err, unpack.Regular(path))
	}
	return paths, err
}

// goOnTask makes a file for the measurements of a task, of which an earlier start may have made
// some. Each start has a file of its own, which nobody else writes.
//
// Example: task 7 of the third submission writes measured-0003-0007.csv. Its node fails, and
// Slurm starts it again. The second start writes measured-0003-0007.1.csv. The first one may
// still live, on a node that has lost its network, but it cannot write into the same file. The
// file that ends in .begun has a line for each measurement that was begun, from both starts. A
// measurement that was begun twice and is in no file has ended its task twice, most likely by its
// memory. It is passed over, so that the others get their turn.
func goOnTask[R experiment.AnyRecord[R]](s *measuring, keys []experiment.Key, resume func([]R) (experiment.Resumption, error)) (*measurements[R], error) {
	t := s.task
	m := &measurements[R]{s: s, chosen: true, planned: len(keys), done: map[experiment.Key]bool{}}
	base := filepath.Join(filepath.Dir(t.record.Path()), fmt.Sprintf("measured-%04d-%04d", t.record.Number, t.number))
	var records []R
	var err error
	for start := 0; ; start++ {
		m.path = base + ".csv"
		if start > 0 {
			m.path = fmt.Sprintf("%s.%d.csv", base, start)
		}
		if m.file, err = os.OpenFile(m.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644); !errors.Is(err, fs.ErrExist) {
			break
		}
		if err := unpack.Regular(m.path); err != nil {
			return nil, exit.InputError(err)
		}
		past, _, err := pastMeasurements[R](s.c, m.path)
		if err != nil {
			return nil, notRead(err)
		}
		records = append(records, past.Records...)
	}
	if err == nil {
		err = experiment.WriteRecords[R](m.file, true)
	}
	var begun map[string]int
	if err == nil {
		begun, err = begunIn(base + begunEnding)
	}
	if err == nil {
		m.begun, err = os.OpenFile(base+begunEnding, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	}
	if err != nil {
		return nil, exit.InputError(err)
	}
	resumption, err := resume(records)
	if err != nil {
		return nil, exit.InputError(err)
	}
	for _, k := range keys {
		name := jobName(k)
		lost := !resumption.Done[k] && begun[name] >= mostStarts && len(t.jobs) > 1
		if resumption.Done[k] || !t.jobs[name] || lost {
			m.done[k] = true
		}
	}
	m.progress = s.Jobs(len(m.done), len(keys))
	return m, nil
}

// noteBegun notes on the disk that a measurement begins.
func (m *measurements[R]) noteBegun(key experiment.Key) {
	if m.begun == nil {
		return
	}
	if _, err := fmt.Fprintln(m.begun, jobName(key)); err == nil { // or else it is not known to be lost
		_ = m.begun.Sync()
	}
}

// ofTasks returns the records in the files of tasks that are not among those of m.
func (m *measurements[R]) ofTasks(known []R) ([]R, error) {
	desk, err := deskOf(m.path)
	if err != nil {
		return nil, err
	}
	paths, err := taskFiles(desk.Folder)
	if err != nil {
		return nil, exit.InputError(err)
	}
	if len(paths) == 0 {
		return nil, nil
	}
	same := func(r R) string { return fmt.Sprintf("%+v", r) }
	there := make(map[string]bool, len(known))
	for _, r := range known {
		there[same(r)] = true
	}
	var list []R
	for _, path := range paths {
		past, _, err := pastMeasurements[R](m.s.c, path)
		if err != nil {
			return nil, notRead(err)
		}
		for _, r := range past.Records {
			if text := same(r); !there[text] {
				there[text] = true
				list = append(list, r)
			}
		}
	}
	return list, nil
}
