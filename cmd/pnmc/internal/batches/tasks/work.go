package tasks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pnmc/internal/unpack"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// Work is what a task needs to know of a batch whose jobs run elsewhere.
type Work struct {
	Settings     history.Settings `json:"settings"`
	Instances    []batch.Instance `json:"instances"`
	Examinations []string         `json:"examinations"`
	// Arguments are those of the program that runs a job: the same program as runs the task.
	Arguments  []string `json:"arguments"`
	UnreadCode int      `json:"unread_code"`
	LimitCode  int      `json:"limit_code,omitempty"`
	// Named says that examinations were asked for by name, so that files for them are expected.
	Named bool `json:"named,omitempty"`
}

// workFile has, in a folder of results, what the batch there is of.
const workFile = "batch.json"

// mostWork bounds the bytes of that file: a hundred thousand instances fit in. What is larger is not read
// into memory.
const mostWork = 64 << 20

// Write notes in a folder of results what the batch is of, so that who looks at it later knows. What is there of anything but a regular file stays, and is an error.
func (w *Work) Write(results string) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	path := filepath.Join(results, workFile)
	if len(text) > mostWork {
		return fmt.Errorf("%s: a batch of more than %d MB: expected fewer instances", path, mostWork>>20)
	}
	known, err := unpack.ReadRegular(path, mostWork)
	if err == nil && bytes.Equal(known, text) || err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	part := path + ".part"
	if err := unpack.Regular(part); err != nil {
		return err
	}
	if err = os.WriteFile(part, text, 0o644); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part) // what is left of it, if anything is
	}
	return err
}

// Read reads what the batch in a folder of results is of.
func Read(results string) (*Work, error) {
	path := filepath.Join(results, workFile)
	text, err := unpack.ReadRegular(path, mostWork)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: expected a folder of results of a batch, found none in it (%s)", results, workFile)
	}
	if err != nil {
		return nil, err
	}
	w := &Work{}
	if err := json.Unmarshal(text, w); err != nil {
		return nil, fmt.Errorf("%s: expected what a batch is of: %w", path, err)
	}
	return w, nil
}

// Of returns the work of a plan, with the arguments of its program, but without the program.
func Of(p *batch.Plan) *Work {
	return &Work{Settings: p.Settings, Instances: p.Instances, Examinations: p.Examinations, Arguments: p.Command[1:], UnreadCode: p.UnreadCode, LimitCode: p.LimitCode}
}

// Plan returns the plan of the work, without a program.
func (w *Work) Plan() batch.Plan {
	return batch.Plan{Instances: w.Instances, Examinations: w.Examinations, Settings: w.Settings, UnreadCode: w.UnreadCode, LimitCode: w.LimitCode}
}

// Unlike lists the jobs of w that other has not, and the instances that lie elsewhere there.
func (w *Work) Unlike(other *Work) (gone, moved []string) {
	places := make(map[string]string, len(other.Instances))
	for _, i := range other.Instances {
		places[i.Name] = i.Path
	}
	for _, i := range w.Instances {
		place, there := places[i.Name]
		if there && place != i.Path {
			moved = append(moved, i.Name)
		}
		for _, e := range w.Examinations {
			if !there || !slices.Contains(other.Examinations, e) {
				gone = append(gone, history.Job{Instance: i.Name, Examination: e}.String())
			}
		}
	}
	return gone, moved
}
