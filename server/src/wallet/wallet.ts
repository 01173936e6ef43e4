// The wallet's face: all that other capabilities may do with money.
export { allowanceUsed } from './allowance-sql.ts'
export type { Account, HoldSource, HoldState, Source } from './apply-sql.ts'
export { entryOf, termsOf } from './explain-sql.ts'
export {
  allowanceSeries,
  type MoneyFigures,
  moneyFigures,
  moneySeries,
  type WalletFigures,
  walletFigures,
} from './figures-sql.ts'
export { type Frozen, freeze } from './freeze.ts'
export {
  ceilingWithin,
  chargeOf,
  minorOf,
  type Price,
  priceIn,
  Terms,
  turnCost,
  type Usage,
} from './hold-pricing.ts'
export {
  type Balances,
  extend,
  type Hold,
  type HoldId,
  type Reservation,
  type Reserved,
  release,
  releaseIn,
  releaseNamed,
  reserve,
  reserveIn,
  type Settled,
  settle,
  settleIn,
} from './holds.ts'
export {
  type Check,
  checkHashes,
  type Finding,
  runChecks,
  trialBalance,
  walletChecks,
} from './invariants.ts'
export { keepLow, lockLow } from './low-balance-sql.ts'
export { credit, debit, type EntryId, grantIncluded, type Move, type Moved } from './postings.ts'
export {
  balancesByOrg,
  moneyByOrg,
  type OrgMoney,
  type Rank,
  rankByBalance,
  rankByUsage,
  type Worth,
} from './ranks-sql.ts'
export { fromKobo, RATE_CARDS, type RateCardVersion, rateOf, toKobo } from './rate-card.ts'
export { balances, lockWallet, spendable } from './read.ts'
export { LedgerEntry, Wallet } from './schema.ts'
export { defaultLowBalanceThreshold, pricingHeading, rateCardNow } from './settings.ts'
export { capOf, type MemberCap } from './sql.ts'
