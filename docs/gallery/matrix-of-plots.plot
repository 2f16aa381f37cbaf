# A plot for each value of two parameters.
EXPERIMENT fio
TITLE Throughput by run
RESULT B_io none
X run
PLOTS mode S_block
AXIS left scale=log2
