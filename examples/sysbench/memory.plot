# Throughput over the size of a block, a curve for each number of threads.
TYPE 2D-param
EXPERIMENT sysbench_memory
TITLE "sysbench memory: throughput of writes"
RESULT B_mem errors=ci
X S_block scale=log2 label="size of a block"
SERIES N_thread
