package play_test

import (
	"context"
	"fmt"

	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/play"
)

// A philosopher takes a fork, and puts it back by taking the step back.
func ExampleGame() {
	net := petritest.Philosophers(3)
	game, err := play.NewGame(context.Background(), net, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	enabled, _ := game.Enabled(10, func(petri.Transition) bool { return true })
	for _, t := range enabled {
		fmt.Println(net.TransitionLabel(t).ID)
	}
	fmt.Println(game.Fire(enabled[0]), len(game.Changes()))
	fmt.Println(game.Undo(), game.Undo())
	// Output:
	// takeLeft0
	// takeRight0
	// takeLeft1
	// takeRight1
	// takeLeft2
	// takeRight2
	// true 3
	// true false
}
