# Two results with a scale each, one as bars.
TYPE 2D-multi
EXPERIMENT sysbench_memory
TITLE Throughput and longest delay, two threads
RESULT L_max max axis=right style=bars
RESULT B_mem axis=left
X S_block
FIX N_thread=2
