set terminal x11 enhanced persist font 'Helvetica,12'
set encoding utf8
set title 'sysbench memory'
set xlabel 'threads'
set ylabel 'size of the blocks read or written [Byte]'
set zlabel 'throughput over all threads [MiByte/s]' rotate by 90
set xyplane 0
set xtics (1,2)
set ytics (1024,16384,262144)
splot '-' using 1:2:3 title '' with linespoints lw 2 ps 2
1 1024 7560.05 
1 16384 31931.8 
1 262144 38990.91 

2 1024 3561.47 
2 16384 15868.7 
2 262144 29295.43 
e
