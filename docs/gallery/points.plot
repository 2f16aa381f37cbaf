# Every value as a point, on two logarithmic axes.
EXPERIMENT fio
TITLE Every measurement
RESULT B_io none
X S_block scale=log2
SERIES mode
AXIS left scale=log2
