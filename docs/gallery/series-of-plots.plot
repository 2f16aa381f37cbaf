# A plot for each value of a parameter, with the same axes.
EXPERIMENT openssl_speed
TITLE Blocks in a second
RESULT N_block
X S_block scale=log2
PLOTS algorithm
AXIS left scale=log
LEGEND no
