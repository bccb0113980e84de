package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/petri/disk"
)

// diskFlags returns the flags by which an exploration goes on on disk.
func diskFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "disk", Usage: "go on in a new folder below this `DIR`, which is removed at the end, once memory is full; with --engine explicit"},
		&cli.StringFlag{Name: "max-disk", Usage: "give up when what is there would take more than this `SIZE`, such as 800MB or 4TB", DefaultText: "what the disk has"},
	}
}

// diskFolder makes the folder that the flags ask for, nil for none. It is to be removed.
func diskFolder(c *cli.Context, engine string) (*disk.Folder, error) {
	below, size := c.String("disk"), int64(0)
	switch {
	case !c.IsSet("disk") && c.IsSet("max-disk"):
		return nil, exit.UsageError("--max-disk is for --disk, which is missing")
	case !c.IsSet("disk"):
		return nil, nil
	case below == "":
		return nil, exit.UsageError("--disk: expected a folder, found \"\"")
	case engine != "explicit":
		return nil, exit.UsageError("--disk is for --engine explicit, not for decision diagrams")
	case c.Int("threads") > 1:
		return nil, exit.UsageError("--disk is for one thread, found --threads %d", c.Int("threads"))
	}
	if c.IsSet("max-disk") {
		var err error
		if size, err = limits.ParseSize(c.String("max-disk")); err != nil {
			return nil, exit.UsageError("--max-disk: %w", err)
		}
	}
	folder, err := disk.NewFolder(below, size)
	switch {
	case errors.As(err, new(*disk.FullError)):
		return nil, exit.With(exit.Unknown, err)
	case err != nil:
		return nil, exit.InputError(err)
	}
	output.NoteScraps(c.Context, folder.Remove)
	return folder, nil
}
