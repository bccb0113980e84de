package limits

import (
	"errors"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/petri/disk"
)

// DiskFlags returns the flags by which markings go to disk. Usage says when.
func DiskFlags(usage string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "disk", Usage: usage, TakesFile: true},
		&cli.StringFlag{Name: "max-disk", Usage: "give up when what is there would take more than this `SIZE`, such as 800MB or 4TB", DefaultText: "what the disk has"},
	}
}

// DiskFolder returns the folder that the flags ask for, nil for none. Its files are to be removed.
func DiskFolder(c *cli.Context) (*disk.Folder, error) {
	below, size := c.String("disk"), int64(0)
	switch {
	case !c.IsSet("disk") && c.IsSet("max-disk"):
		return nil, exit.UsageError("--max-disk is for --disk, which is missing")
	case !c.IsSet("disk"):
		return nil, nil
	case below == "":
		return nil, exit.UsageError("--disk: expected a folder, found \"\"")
	}
	if c.IsSet("max-disk") {
		var err error
		if size, err = ParseSize(c.String("max-disk")); err != nil {
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
