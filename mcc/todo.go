package mcc

import "context"

func checkLinear(context.Context, *run) {}
func askLinear(*run) error              { return nil }
