// Parts of amounts, for pictures. What is written beside a picture is the exact amount.

/** In whole percent, between 0 and 100. What is not all is never shown as all, and what is left is never shown as nothing. */
export function percentOf(part: bigint, whole: bigint): number {
  if (whole <= 0n || part <= 0n) return 0
  if (part >= whole) return 100
  return Math.min(99, Math.max(1, Number((part * 100n) / whole)))
}
