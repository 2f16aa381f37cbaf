# The same result as areas between heights; style=contour-lines draws lines.
TYPE 3D
EXPERIMENT sysbench_memory
TITLE Throughput of memory
RESULT B_mem median style=contours
X S_block scale=log2
Y N_thread
AXIS z scale=log
