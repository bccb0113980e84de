// Package cluster hands work to the scheduler of a cluster: to Slurm, or to any other engine
// that runs a list of commands.
//
// In come jobs, and what a task may have of a machine; a job is a name with the seconds that
// it is expected to take. Out go tasks with some jobs each. They are recorded in a folder
// that all nodes see, and given to Slurm as arrays of jobs. What a job is, and how it is run,
// is the caller's: mcc/batch runs examinations, and the command bench measurements. Next is
// the scheduler, which starts the caller's program with a record and the number of a task.
//
// Nothing is handed out twice: a record is on the disk before anything is submitted, with a
// token that Slurm keeps in the comment of its job. Who was killed before it could note the
// number of the job finds it by that.
package cluster
