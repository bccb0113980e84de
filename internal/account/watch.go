package account

import (
	"context"
	"time"
)

// betweenLooks is the time between two looks at what is watched, such as the memory in use.
// A busy machine may make them late.
const betweenLooks = 5 * time.Millisecond

// Watch looks again and again until a look fails, whose error it returns, or ctx ends.
func Watch(ctx context.Context, look func() error) error {
	ticker := time.NewTicker(betweenLooks)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := look(); err != nil {
			return err
		}
	}
}
