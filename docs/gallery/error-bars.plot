# Points with error bars: one standard deviation around the mean.
EXPERIMENT fio
TITLE Random writes
RESULT B_io style=errorbars
X S_block scale=log2 from=8KiByte to=512KiByte
FIX mode=randwrite
