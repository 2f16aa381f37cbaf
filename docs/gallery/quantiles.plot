# Several statistics of one result, as lines without points.
EXPERIMENT openssl_speed
TITLE SHA-256: spread of five runs
RESULT N_block min median max style=lines
RESULT N_block quantile=0.9 style=steps
X S_block scale=log2
FIX algorithm=sha256
AXIS left scale=log
