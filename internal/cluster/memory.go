package cluster

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Most is the most that a task may have on a node; 0 if that is not known.
type Most struct {
	Bytes int64
	Cores int
}

// Most asks for the most that a task may have on a node of the partitions that wishes, or else
// the site or Slurm, choose. One that asks for more would wait for ever, or be refused.
//
// For example, sinfo prints the line "all*|6000|8": the partition all, which is the usual one by
// its star, has nodes with 6000 MB and 8 cores. Of several lines that were chosen, for nodes of
// different sizes, the largest numbers count.
func (s Slurm) Most(ctx context.Context, w Wishes) (most Most, err error) {
	nodes, err := s.call(ctx, "sinfo", at(chosenCluster(), "--noheader", "--exact", "--format=%P|%m|%c")...)
	if err != nil {
		return most, err
	}
	partitions, err := s.call(ctx, "scontrol", at(chosenCluster(), "--oneliner", "show", "partition")...)
	if err != nil {
		return most, err
	}
	chosen := strings.Split(w.partition(), ",")
	for line := range strings.Lines(nodes) {
		if namesCluster(line) {
			continue
		}
		name, numbers, _ := strings.Cut(strings.TrimSpace(line), "|")
		memory, count, _ := strings.Cut(numbers, "|")
		megabytes, err := strconv.ParseInt(memory, 10, 64)
		cores, noCores := strconv.Atoi(count)
		if err != nil || noCores != nil {
			return Most{}, fmt.Errorf("sinfo: expected a partition and numbers of megabytes and of cores, found %q", line)
		}
		name, usual := strings.CutSuffix(name, "*")
		if slices.Contains(chosen, name) || chosen[0] == "" && usual {
			if limit := limitOf(partitions, name); limit > 0 {
				megabytes = min(megabytes, limit)
			}
			// A script asks for whole megabytes, rounded up.
			most.Bytes, most.Cores = max(most.Bytes, (megabytes-1)<<20), max(most.Cores, cores)
		}
	}
	return most, nil
}

// partition returns what --partition, a flag for sbatch, or the site says; empty if none does.
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

// limitOf returns how many megabytes a task may have on a node of a partition, by what scontrol
// shows of all, a line each; 0 if there is no limit.
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
