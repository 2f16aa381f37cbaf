# One result over a parameter: the mean, with its 95 % confidence interval.
TYPE 2D
EXPERIMENT openssl_speed
TITLE AES-128-GCM: blocks in a second
RESULT N_block errors=ci
X S_block scale=log2 label="size of a block"
FIX algorithm=AES-128-GCM
AXIS left label="blocks"
