#!/bin/sh
# How the Model Checking Contest calls pnmc. The current directory is the model's
# folder; the limits and the examination come in BK_… variables, which
# "pnmc mcc" reads itself. BK_BIN_PATH, with or without "/" at its end, has the
# executable; without it, the search path has.
exec "${BK_BIN_PATH:+${BK_BIN_PATH%/}/}pnmc" mcc
