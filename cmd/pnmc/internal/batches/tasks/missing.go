package tasks

import (
	"pnmc/internal/cluster"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// Missing returns the jobs of the plan that need a run and are not active, each with the time that
// it is expected to take and the number of its losses.
func Missing(p *batch.Plan, runs []*history.Run, active map[string]bool, e *Expectation) []cluster.Job {
	byJob := make(map[history.Job]*history.Run, len(runs))
	for _, r := range runs {
		byJob[r.Job] = r
	}
	sizes := make(map[string]int64, len(p.Instances))
	for _, i := range p.Instances {
		sizes[i.Name] = i.Size()
	}
	var list []cluster.Job
	for _, planned := range p.Jobs() {
		j, r := planned.Job, byJob[planned.Job]
		if active[j.String()] || !planned.NeedsRun(r) {
			continue
		}
		missing := cluster.Job{Name: j.String(), Expected: leastSeconds}
		if !planned.IsAbsent() {
			missing.Expected, _ = e.Seconds(j, sizes[j.Instance])
		}
		if r != nil {
			missing.Lost = r.Losses()
		}
		list = append(list, missing)
	}
	return list
}
