# A curve for each value of a second parameter.
TYPE 2D-param
EXPERIMENT sysbench_memory
TITLE Throughput of memory
RESULT B_mem errors=minmax
X S_block scale=log2
SERIES N_thread
