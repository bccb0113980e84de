package main

import (
	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/petri/disk"
)

// diskFlags returns the flags by which an exploration goes on on disk.
func diskFlags() []cli.Flag {
	return limits.DiskFlags("go on in files in this `DIR`, which go at the end, once memory is full; with --engine explicit")
}

// diskFolder returns the folder that the flags ask for, nil for none. Its files are to be removed.
func diskFolder(c *cli.Context, engine string) (*disk.Folder, error) {
	switch {
	case !c.IsSet("disk"):
	case engine != "explicit":
		return nil, exit.UsageError("--disk is for --engine explicit, not for decision diagrams")
	case c.Int("threads") > 1:
		return nil, exit.UsageError("--disk is for one thread, found --threads %d", c.Int("threads"))
	}
	return limits.DiskFolder(c)
}
