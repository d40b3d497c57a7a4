__device__ const char *s() { return "a\\
n\x\
41\
\\
101"; }
__device__ int c = '\\
n';
__device__ int o = 1\
2\
;
__device__ char e = '\\
