package mcc

import "context"

func decideLiveness(context.Context, *run)      {}
func evaluateBranching(context.Context, *run)   {}
func searchBranching(context.Context, *run)     {}
func searchBranchingDeep(context.Context, *run) {}
func checkLinear(context.Context, *run)         {}
func askLinear(*run) error                      { return nil }
