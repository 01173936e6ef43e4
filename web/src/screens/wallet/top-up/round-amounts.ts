/** A small, a usual and a large top-up, in major units. */
export const ROUND_AMOUNTS: Readonly<Record<string, readonly bigint[]>> = {
  NGN: [1_000n, 2_000n, 5_000n],
  KES: [200n, 500n, 1_000n],
  GHS: [20n, 50n, 100n],
  ZAR: [50n, 100n, 250n],
  EGP: [100n, 250n, 500n],
  UGX: [5_000n, 10_000n, 20_000n],
  XOF: [1_000n, 2_500n, 5_000n],
  XAF: [1_000n, 2_500n, 5_000n],
  RWF: [2_000n, 5_000n, 10_000n],
  TZS: [5_000n, 10_000n, 20_000n],
  ZMW: [50n, 100n, 200n],
  GNF: [20_000n, 50_000n, 100_000n],
  USD: [5n, 10n, 20n],
}
