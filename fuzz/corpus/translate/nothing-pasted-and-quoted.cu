#define r(x,y) x ## y
#define str(x) # x
const char *a = str();
r(,) r(r(,),) int r(,b);
