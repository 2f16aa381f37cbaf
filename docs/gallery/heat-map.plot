# One result over two parameters from above: a cell for each value of both.
TYPE 3D
EXPERIMENT sysbench_memory
TITLE Throughput of memory
RESULT B_mem median style=heatmap
X S_block scale=log2
Y N_thread
