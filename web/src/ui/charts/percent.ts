// Shares for charts. The exact amounts are written beside them.

/** Whole percent, 0 to 100. Only the whole is 100, and only nothing is 0. */
export function percentOf(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0
  if (part >= whole) return 100
  return Math.min(99, Math.max(1, Number((part * 100n) / whole)))
}
