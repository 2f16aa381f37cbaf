/** Weights by distance in bandwidths; only their ratios matter. `reach`: beyond it a weight is 0. */
export interface Kernel {
  readonly reach: number;
  weight(u: number): number;
}

/** exp(-u²/2) is 0 beyond. */
const normalReach = 39;

/**
 * By Perun's names; all but epanechnikov4 have variance 1 or, of order 4, none (Wand and Jones, "Kernel Smoothing",
 * 1995, section 2.8).
 */
export const kernels: Readonly<Record<string, Kernel>> = {
  epanechnikov: { reach: Math.sqrt(5), weight: (u) => Math.max(0, 1 - (u * u) / 5) },
  tricube: { reach: Math.sqrt(243 / 35), weight: (u) => Math.max(0, 1 - Math.abs(u * Math.sqrt(35 / 243)) ** 3) ** 3 },
  normal: { reach: normalReach, weight: (u) => Math.exp((-u * u) / 2) },
  epanechnikov4: { reach: 1, weight: (u) => (Math.abs(u) < 1 ? (9 - 15 * u * u) / 8 : 0) },
  normal4: { reach: normalReach, weight: (u) => (3 - u * u) * Math.exp((-u * u) / 2) },
};
