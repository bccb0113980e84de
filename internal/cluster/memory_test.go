package cluster

import (
	"context"
	"errors"
	"testing"
)

// TestMost: a task may have what the largest node of its partition has, or the limit of that.
func TestMost(t *testing.T) {
	slurm := Slurm{Run: func(_ context.Context, name string, _ ...string) (string, error) {
		if name == "sinfo" {
			return "all*|64000|4\nall*|32000|16\nbig|256000|8\nlimited|64000|4\n", nil
		}
		return "PartitionName=all Default=YES MaxMemPerNode=UNLIMITED\nPartitionName=big MaxMemPerNode=UNLIMITED\nPartitionName=limited MaxMemPerNode=8000\n", nil
	}}
	for _, test := range []struct {
		wishes Wishes
		site   string
		want   int64
	}{
		{Wishes{}, "", 64000}, {Wishes{Partition: "big"}, "all", 256000}, {Wishes{Partition: "limited"}, "", 8000},
		{Wishes{Partition: "limited,big"}, "", 256000}, {Wishes{}, "big", 256000},
		{Wishes{Extra: []string{"--qos=x", "--partition=limited"}}, "big", 8000}, {Wishes{Extra: []string{"-pbig"}}, "", 256000},
		{Wishes{Extra: []string{"-p limited"}}, "", 8000}, {Wishes{Partition: "unknown"}, "", 1},
	} {
		t.Setenv("SBATCH_PARTITION", test.site)
		if most, err := slurm.Most(context.Background(), test.wishes); err != nil || most.Bytes>>20 != test.want-1 {
			t.Errorf("%+v, site %q: %d MB, %v, want %d", test.wishes, test.site, most.Bytes>>20, err, test.want-1)
		}
	}
	t.Setenv("SBATCH_PARTITION", "")
	if most, err := slurm.Most(context.Background(), Wishes{}); err != nil || most.Cores != 16 {
		t.Errorf("%+v, %v", most, err)
	}
	slurm.Run = func(context.Context, string, ...string) (string, error) { return "", errors.New("no answer") }
	if _, err := slurm.Most(context.Background(), Wishes{}); err == nil {
		t.Error("no answer is one")
	}
}

// TestMemoryOfLostJobs: what was lost again and again has more memory, but no more than a node
// has, and never less than usual.
func TestMemoryOfLostJobs(t *testing.T) {
	n := Needs{JobSeconds: 10, JobBytes: 16 << 30}
	for _, test := range []struct{ node, lost, want int64 }{
		{0, 0, 18}, {0, 1, 18}, {0, 2, 36}, {0, 3, 54}, {0, 9, 72}, {40, 2, 36}, {40, 3, 40}, {40, 9, 40}, {20, 2, 20}, {10, 2, 18}, {10, 1, 18},
	} {
		n.MostBytes = test.node << 30
		j := Job{Name: "a", Expected: 1, Lost: int(test.lost)}
		tasks := Pack([]Job{j}, n)
		if got := tasks[0].MemoryBytes >> 30; got != test.want {
			t.Errorf("on nodes of %d GB, lost %d times: %d GB, want %d", test.node, test.lost, got, test.want)
		}
		if capped := test.node > 0 && test.lost > 1 && test.want <= max(18, test.node) && n.lostBytes(j) > n.MostBytes; n.IsCapped(j) != capped {
			t.Errorf("%+v: capped %t", test, n.IsCapped(j))
		}
	}
}
