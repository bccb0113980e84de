package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"pnmc/internal/process"
)

// Slurm speaks with a Slurm by its commands, sbatch, squeue, scancel and scontrol, which all
// its versions have: its REST interface is a service that not all sites run.
type Slurm struct {
	// Run runs a command and returns what it printed; nil: the system's.
	Run func(ctx context.Context, name string, arguments ...string) (string, error)
}

// ErrNoSlurm is that the commands of Slurm are not there.
var ErrNoSlurm = errors.New("there is no Slurm here: its commands sbatch and squeue were not found")

// Queued is a task in the queue of Slurm, or one that left it a short time ago.
type Queued struct {
	// Job is the number of its array, Index its place there.
	Job   int64
	Index int
	// State is Slurm's word, such as PENDING; Reason why it waits.
	State, Reason string
	// Comment is that of the script.
	Comment string
}

// Over reports whether the task will not run any more.
func (q Queued) Over() bool {
	switch q.State {
	case "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY", "REVOKED":
		return true
	}
	return false
}

// call runs a command.
func (s Slurm) call(ctx context.Context, name string, arguments ...string) (string, error) {
	if s.Run != nil {
		return s.Run(ctx, name, arguments...)
	}
	var out, complaints bytes.Buffer
	command := exec.CommandContext(ctx, name, arguments...)
	command.Stdout, command.Stderr = &out, &complaints
	command.Env = environment(name, arguments, os.Environ())
	// A submission that outlived this process might be made after the next one looked for it.
	defer process.DieTogether(command)()
	err := command.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", ErrNoSlurm
	case err != nil && ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		said := strings.TrimSpace(complaints.String())
		if said == "" {
			said = err.Error()
		}
		return out.String(), fmt.Errorf("%s: %s", name, strings.TrimPrefix(strings.ReplaceAll(said, "\n"+name+": ", "; "), name+": "))
	}
	return out.String(), nil
}

// chosenBySite are variables of sbatch that a site may set for all its users, and what a flag of
// the script says instead.
var chosenBySite = map[string]string{
	"SBATCH_ACCOUNT": "--account=", "SBATCH_PARTITION": "--partition=", "SBATCH_QOS": "--qos=",
	"SBATCH_RESERVATION": "--reservation=", "SBATCH_CONSTRAINT": "--constraint=",
}

// clusterVariables are those that name one of several clusters, the first that is set. Commands
// are told it by a flag: who looks for tasks may have another one set than who submitted them.
var clusterVariables = []string{"SBATCH_CLUSTERS", "SLURM_CLUSTERS"}

// chosenCluster returns the cluster that variables name; empty: that of this computer.
func chosenCluster() string {
	for _, variable := range clusterVariables {
		if name := os.Getenv(variable); name != "" {
			return name
		}
	}
	return ""
}

// at returns arguments for a command of Slurm that is about a cluster.
func at(cluster string, arguments ...string) []string {
	if cluster == "" {
		return arguments
	}
	return append([]string{"--clusters=" + cluster}, arguments...)
}

// namesCluster reports whether a printed line is empty, or only names the cluster of the next
// lines.
func namesCluster(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "CLUSTER: ")
}

// environment returns env without variables that would change the meaning of a command: to
// Slurm, variables override the flags in a script. So sbatch has the options by which a site
// chooses, unless the script has them.
func environment(name string, arguments, env []string) []string {
	script := ""
	if name == "sbatch" && len(arguments) > 0 {
		text, _ := os.ReadFile(arguments[len(arguments)-1]) // else sbatch says what is wrong
		script = string(text)
	}
	return slices.DeleteFunc(slices.Clone(env), func(variable string) bool {
		key, _, _ := strings.Cut(variable, "=")
		flag, kept := chosenBySite[key]
		switch {
		case slices.Contains(clusterVariables, key):
			return true
		case kept:
			return strings.Contains(script, "#SBATCH "+flag)
		case strings.HasPrefix(key, "SBATCH_"), strings.HasPrefix(key, "SQUEUE_"), strings.HasPrefix(key, "SCANCEL_"):
			return true
		}
		return false
	})
}

// Room is how much a Slurm takes in.
type Room struct {
	// Array is the number of tasks of an array, Jobs that of all jobs, each task of an array
	// being one.
	Array, Jobs int
}

// defaultRoom is what Slurm takes where it does not tell.
var defaultRoom = Room{Array: 1001, Jobs: 10000}

// Room asks how much there is.
func (s Slurm) Room(ctx context.Context) (Room, error) {
	cluster := chosenCluster()
	if cluster == "all" || strings.Contains(cluster, ",") {
		return Room{}, fmt.Errorf("%s: expected the name of one cluster, found %q", strings.Join(clusterVariables, ", "), cluster)
	}
	text, err := s.call(ctx, "scontrol", at(cluster, "show", "config")...)
	if err != nil {
		return Room{}, err
	}
	room := defaultRoom
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, "=")
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 1 {
			continue
		}
		switch strings.TrimSpace(name) {
		case "MaxArraySize":
			room.Array = n
		case "MaxJobCount":
			room.Jobs = n
		}
	}
	return room, nil
}

// Submit submits a script to a cluster, and returns the number of the job.
func (s Slurm) Submit(ctx context.Context, cluster, script string) (int64, error) {
	text, err := s.call(ctx, "sbatch", at(cluster, "--parsable", script)...)
	if err != nil {
		return 0, err
	}
	number, _, _ := strings.Cut(strings.TrimSpace(text), ";") // behind it is the name of a cluster
	job, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("sbatch: expected the number of a job, found %q", text)
	}
	return job, nil
}

// queueFormat is the number of an array, the place there, state, reason and comment.
const queueFormat = "%F|%K|%T|%r|%k"

// Queue asks a cluster for the tasks of all jobs of a name that it knows, also of those that are
// over.
func (s Slurm) Queue(ctx context.Context, cluster, name string) ([]Queued, error) {
	text, err := s.call(ctx, "squeue", at(cluster, "--noheader", "--array", "--states=all", "--name="+name, "--format="+queueFormat)...)
	if err != nil {
		return nil, err
	}
	var list []Queued
	for line := range strings.Lines(text) {
		if namesCluster(line) {
			continue
		}
		parts := strings.SplitN(strings.TrimRight(line, "\n"), "|", 5)
		if len(parts) != 5 {
			return nil, fmt.Errorf("squeue: expected five columns, found %q", line)
		}
		q := Queued{State: parts[2], Reason: parts[3], Comment: strings.TrimSpace(parts[4])}
		if q.Job, err = strconv.ParseInt(parts[0], 10, 64); err != nil {
			return nil, fmt.Errorf("squeue: expected the number of a job, found %q", line)
		}
		if q.Index, err = strconv.Atoi(parts[1]); err != nil {
			continue // no array: it is none of ours
		}
		list = append(list, q)
	}
	return list, nil
}

// Cancel takes jobs out of the queue of a cluster, and ends what runs of them.
func (s Slurm) Cancel(ctx context.Context, cluster string, jobs []int64) error {
	if len(jobs) == 0 {
		return nil
	}
	var arguments []string
	for _, j := range jobs {
		arguments = append(arguments, strconv.FormatInt(j, 10))
	}
	_, err := s.call(ctx, "scancel", at(cluster, arguments...)...)
	return err
}
