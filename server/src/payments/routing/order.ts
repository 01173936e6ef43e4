// The order in which the accounts of a channel are asked to collect a payment. Pure: it neither reads nor changes anything.

export type RankedAccount = {
  /** Set by staff: lower numbers come first. Equal for all accounts while staff set none. */
  readonly priority: number
  /** Its circuit is open, or it refused our keys a moment ago. */
  readonly isDown: boolean
  /** Of the last 24 hours. */
  readonly settled: number
  /** Settled, failed or expired in the last 24 hours. */
  readonly decided: number
  /** The fees of the last 30 days in hundredths of a percent; null where too few are known. */
  readonly feeBasisPoints: number | null
}

/** Below this number of decided payments a success rate is not compared. */
export const DECIDED_MIN = 20
/** An account is less successful when its rate is lower than the best one by more than this. */
export const RATE_DIFFERENCE = 0.1
/** An account is more expensive when its fees exceed the lowest ones by more than this. */
export const FEE_DIFFERENCE_BASIS_POINTS = 20

/**
 * Sorts by: working, priority, not less successful, not more expensive, order of the input. Rates and fees are compared with the
 * best of the same priority and not in pairs: small differences change nothing, and the order has no cycles.
 */
export function orderAccounts<Ranked extends RankedAccount>(accounts: readonly Ranked[]): Ranked[] {
  const groups = Map.groupBy(accounts, ({ priority, isDown }) => `${isDown} ${priority}`)
  const ranked = accounts.map((account) => {
    const group = groups.get(`${account.isDown} ${account.priority}`) ?? [account]
    return { account, isLess: isLessSuccessful(account, group), isMore: isMoreExpensive(account, group) }
  })
  return ranked
    .sort(
      (one, other) =>
        Number(one.account.isDown) - Number(other.account.isDown) ||
        one.account.priority - other.account.priority ||
        Number(one.isLess) - Number(other.isLess) ||
        Number(one.isMore) - Number(other.isMore),
    )
    .map(({ account }) => account)
}

function isLessSuccessful(account: RankedAccount, group: readonly RankedAccount[]): boolean {
  const rate = rateOf(account)
  const best = Math.max(...group.flatMap((each) => rateOf(each) ?? []))
  return rate !== null && best - rate > RATE_DIFFERENCE
}

const rateOf = ({ settled, decided }: RankedAccount): number | null =>
  decided >= DECIDED_MIN ? settled / decided : null

function isMoreExpensive({ feeBasisPoints }: RankedAccount, group: readonly RankedAccount[]): boolean {
  const lowest = Math.min(...group.flatMap((each) => each.feeBasisPoints ?? []))
  return feeBasisPoints !== null && feeBasisPoints - lowest > FEE_DIFFERENCE_BASIS_POINTS
}
