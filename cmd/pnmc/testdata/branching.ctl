# What philosophers can do, and always can.
some eat: EF eats0 and EF eats1
AG EF eats0  # not any more in a deadlock
"stuck: for ever": EF AG deadlock
no two: A[!(eats0 & eats1) U zz]
E(thinks0 U eats0)
