/** The largest power of ten, positive or negative, that `roundedDecimal` takes. */
export const mostPower = 45;

/** Each power of ten is exactly the sum of two doubles. */
const [highPowers, lowPowers] = powersOfTen();

function powersOfTen(): readonly [Float64Array, Float64Array] {
  const powers = Array.from({ length: mostPower + 1 }, (_, exponent) => 10n ** BigInt(exponent));
  const high = Float64Array.from(powers, Number);
  return [high, Float64Array.from(powers, (power, at) => Number(power - BigInt(high[at]!)))];
}

/**
 * The double nearest to (`head`·10^`tailDigits` + `tail`)·10^`exponent`, for integers `head` below 10^15 and `tail`
 * below 10^`tailDigits`, of at most 4 digits. NaN if the number is too close to the middle of two doubles to decide.
 *
 * Computes with the sum of two doubles (T. J. Dekker, A floating-point technique for extending the available precision,
 * 1971), whose error is below 2^-100 of the number, and rounds both bounds (A. Ziv, Fast evaluation of elementary
 * mathematical functions with correctly rounded last bit, 1991).
 */
export function roundedDecimal(head: number, tail: number, tailDigits: number, exponent: number): number {
  const shift = highPowers[tailDigits]!;
  const product = head * shift;
  const rest = productError(head, shift, product) + tail;
  const high = product + rest;
  const low = rest - (high - product);
  const at = Math.abs(exponent);
  const [power, powerRest] = [highPowers[at]!, lowPowers[at]!];
  if (exponent >= 0) {
    const value = high * power;
    return decided(value, productError(high, power, value) + (high * powerRest + low * power));
  }
  const value = high / power;
  const back = value * power;
  return decided(value, (high - back - productError(value, power, back) + low - value * powerRest) / power);
}

/** Far above the error of `value + rest`. */
const relativeError = 2 ** -98;

function decided(value: number, rest: number): number {
  const error = value * relativeError;
  const upper = value + (rest + error);
  return upper === value + (rest - error) ? upper : Number.NaN;
}

/** Splits a double into two halves of 26 bits. */
const splitter = 2 ** 27 + 1;

/** `a`·`b` − `product`, exactly. */
function productError(a: number, b: number, product: number): number {
  const [scaledA, scaledB] = [splitter * a, splitter * b];
  const highA = scaledA - (scaledA - a);
  const highB = scaledB - (scaledB - b);
  const [lowA, lowB] = [a - highA, b - highB];
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}
