function fib(n){ return n<2?n:fib(n-1)+fib(n-2); }
let t=0; for(let i=0;i<6;i++) t+=fib(30); console.log(t);
