# One result over two parameters.
TYPE 3D
EXPERIMENT openssl_speed
TITLE Blocks in a second by algorithm and size
RESULT N_block median
X S_block scale=log2
Y algorithm
AXIS z scale=log label="blocks"
