/* main -> outer -> inner, and main -> inner */
static volatile long sum;
static void inner(int n) { for (int i = 0; i < n; i++) sum += i; }
static void outer(int n) { for (int i = 0; i < n; i++) { sum += n; inner(n); } }
int main(void) { outer(200); inner(5000); return 0; }
