#include <vector>
#include <string>
namespace geo { template<class T> struct Grid { std::vector<T> v; __attribute__((noinline)) T sum(int n) { T s=0; for(int k=0;k<n;k++) for (auto x: v) s+=x*k; return s; } }; 
__attribute__((noinline)) double area(const std::string& s, double d) { Grid<double> g; g.v.assign(20000, d); return g.sum(400)+s.size(); } }
int main(){ volatile double t=0; for(int i=0;i<40;i++) t+=geo::area("x", i); return t>0?0:1; }
