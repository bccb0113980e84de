package cluster

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// MostMemory is the most memory in bytes that a task may have on a node of the partitions that
// wishes, or else the site or Slurm, choose; 0 if Slurm does not tell. One that asks for more
// would wait for ever, or be refused.
func (s Slurm) MostMemory(ctx context.Context, w Wishes) (int64, error) {
	nodes, err := s.call(ctx, "sinfo", "--noheader", "--exact", "--format=%P|%m")
	if err != nil {
		return 0, err
	}
	partitions, err := s.call(ctx, "scontrol", "--oneliner", "show", "partition")
	if err != nil {
		return 0, err
	}
	chosen := strings.Split(w.partition(), ",")
	most := int64(0)
	for line := range strings.Lines(nodes) {
		name, memory, _ := strings.Cut(strings.TrimSpace(line), "|")
		megabytes, err := strconv.ParseInt(memory, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("sinfo: expected a partition and a number of megabytes, found %q", line)
		}
		name, usual := strings.CutSuffix(name, "*")
		if slices.Contains(chosen, name) || chosen[0] == "" && usual {
			if limit := limitOf(partitions, name); limit > 0 {
				megabytes = min(megabytes, limit)
			}
			most = max(most, megabytes)
		}
	}
	return max(0, most-1) << 20, nil // a script asks for whole megabytes, rounded up
}

// partition is what --partition, a flag for sbatch, or the site says; empty if none does.
func (w Wishes) partition() string {
	if w.Partition != "" {
		return w.Partition
	}
	name := os.Getenv("SBATCH_PARTITION")
	for _, f := range w.Extra {
		f = strings.TrimSpace(f)
		if flag, value, ok := strings.Cut(strings.ReplaceAll(f, " ", "="), "="); ok && (flag == "--partition" || flag == "-p") {
			name = value
		} else if value, ok := strings.CutPrefix(f, "-p"); ok {
			name = value
		}
	}
	return name
}

// limitOf is how many megabytes a task may have on a node of a partition, by what scontrol shows
// of all, a line each; 0 if there is no limit.
func limitOf(partitions, name string) int64 {
	for line := range strings.Lines(partitions) {
		words := strings.Fields(line)
		if !slices.Contains(words, "PartitionName="+name) {
			continue
		}
		for _, word := range words {
			if value, ok := strings.CutPrefix(word, "MaxMemPerNode="); ok {
				limit, _ := strconv.ParseInt(value, 10, 64) // or UNLIMITED
				return limit
			}
		}
	}
	return 0
}
