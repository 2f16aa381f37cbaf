# Bars side by side, from the smallest to the largest value.
EXPERIMENT fio
TITLE Random reads and writes
RESULT B_io median style=bars errors=minmax
X S_block
SERIES mode
