#!/bin/sh
# How the Model Checking Contest calls pnmc. The current directory is the model's
# folder; the limits and the examination come in BK_… variables, which
# "pnmc mcc" reads itself. BK_BIN_PATH, which ends in "/", has the executable.
exec "${BK_BIN_PATH:-}pnmc" mcc
