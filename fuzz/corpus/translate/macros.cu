#define x 3
#define f(a) f(x * (a))
#define g f
#define t(a) a
#define r(x,y) x ## y
#define str(...) #__VA_ARGS__
#define v(m, ...) m(1 __VA_OPT__(,) ## __VA_ARGS__) m(2, ## __VA_ARGS__)
#if defined x && __has_include("self") && (1 ? 2 : 1/0) == 0x2u
#include "self"
#elif __LINE__ > 5
int a = t(t(g)(0) + t)(1) + r(2,) + v(f, 3);
#endif
_Pragma("unroll 4") const char *s = str(a "b\n" '\'') R"x(")x" "\x41\
b";
#line 7 "other.cu"
# 9 "third.cu" 2
__FILE__ __COUNTER__
