// Reads a matrix from text, solves it by conjugate gradients and prints the result: something to draw flame graphs of.
// -DWHOLE_NUMBERS reads digits without strtod and prints by to_chars.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Vector = std::vector<double>;
struct Matrix {
  int size;
  std::vector<double> cells;
};

__attribute__((noinline)) std::string write_matrix(int size) {
  std::string text;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) text += std::to_string(i == j ? size : (i * j) % 3) + (j + 1 < size ? " " : "\n");
  return text;
}

__attribute__((noinline)) double parse_number(const char*& at) {
#ifdef WHOLE_NUMBERS
  double value = 0;
  while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
  return value;
#else
  char* end;
  double value = strtod(at, &end);
  at = end;
  return value;
#endif
}

__attribute__((noinline)) Matrix parse_matrix(const std::string& text, int size) {
  Matrix matrix{size, {}};
  const char* at = text.c_str();
  while (*at != 0) {
    while (*at == ' ' || *at == '\n') at++;
    if (*at != 0) matrix.cells.push_back(parse_number(at));
  }
  return matrix;
}

__attribute__((noinline)) double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
  return sum;
}

__attribute__((noinline)) Vector multiply(const Matrix& matrix, const Vector& x) {
  Vector y(x.size());
  for (int i = 0; i < matrix.size; i++)
    for (int j = 0; j < matrix.size; j++) y[i] += matrix.cells[(size_t)i * matrix.size + j] * x[j];
  return y;
}

__attribute__((noinline)) Vector iterate(const Matrix& matrix, Vector b, int steps) {
  Vector x(b.size()), p = b;
  double rest = dot(b, b);
  for (int step = 0; step < steps && rest > 1e-20; step++) {
    Vector ap = multiply(matrix, p);
    double alpha = rest / dot(p, ap);
    for (size_t i = 0; i < x.size(); i++) x[i] += alpha * p[i], b[i] -= alpha * ap[i];
    double next = dot(b, b);
    for (size_t i = 0; i < p.size(); i++) p[i] = b[i] + next / rest * p[i];
    rest = next;
  }
  return x;
}

__attribute__((noinline)) void print_vector(const Vector& x, FILE* out) {
  char text[64];
  for (double value : x) {
#ifdef WHOLE_NUMBERS
    auto end = std::to_chars(text, text + sizeof text, value).ptr;
    fwrite(text, 1, end - text, out);
    fputc('\n', out);
#else
    snprintf(text, sizeof text, "%.17g\n", value);
    fputs(text, out);
#endif
  }
}

int main() {
  FILE* out = tmpfile();
  for (int round = 0; round < 12; round++) {
    Matrix matrix = parse_matrix(write_matrix(700), 700);
    Vector x = iterate(matrix, Vector(700, 1.0), 60);
    for (int i = 0; i < 60; i++) print_vector(x, out);
  }
  fclose(out);
  return 0;
}
