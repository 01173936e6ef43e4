// The public API of the wallet.
export {
  atWallet,
  type Balances,
  lockWallet,
  type MemberCap,
  readBalances,
  readMemberCap,
  readSpendable,
  readUsedAllowance,
  readWallet,
  readWallets,
  type WalletView,
} from './balances.ts'
export { findEntry, readHoldTerms } from './explain/explain-sql.ts'
export { accruesEveryTurn } from './holds/accrual.ts'
export { type FreezeResult, freeze } from './holds/freeze.ts'
export {
  affordableOutput,
  type ClassPrices,
  calculateCharge,
  HoldTerms,
  maxTurnCost,
  microKoboOf,
  minorOf,
  minTurnCost,
  priceOfTerms,
  type TokenCounts,
  type TokenPrice,
  turnCost,
  type Usage,
} from './holds/hold-pricing.ts'
export {
  extendHold,
  type Hold,
  type HoldId,
  keyOfHold,
  type Reservation,
  type ReserveResult,
  release,
  releaseByPrefix,
  releaseByRef,
  releaseIn,
  reserve,
  reserveIn,
  type SettleResult,
  settle,
  settleIn,
} from './holds/holds.ts'
export { copyCheck } from './integrity/copies.ts'
export {
  checkHashes,
  type InvariantCheck,
  runChecks,
  trialBalance,
  walletChecks,
} from './integrity/invariants.ts'
export type { CheckFinding } from './integrity/invariants-sql.ts'
export type { HoldSource, HoldState, LedgerAccount, PostingSource } from './ledger/apply-ops.ts'
export {
  credit,
  debit,
  type EntryId,
  grantIncluded,
  type PostingInput,
  type PostingResult,
} from './ledger/postings.ts'
export { lockLowBalanceState, updateLowBalanceState } from './low-balance/low-balance.ts'
export { orgsDueForTopup, setTopupThreshold, takeTopupDue } from './low-balance/topup-threshold.ts'
export { fromKobo, RATE_CARDS, type RateCardVersion, rateOf, toKobo } from './rate-card.ts'
export {
  allowanceSeries,
  type MoneyFigures,
  moneyFigures,
  moneySeries,
  type WalletFigures,
  walletFigures,
} from './reports/figures-sql.ts'
export {
  balancesByOrg,
  type KoboRates,
  moneyByOrg,
  type OrgMoney,
  type OrgRank,
  rankByBalance,
  rankByUsage,
} from './reports/org-ranking-sql.ts'
export { type UsageOfSource, usageSince } from './reports/usage-since-sql.ts'
export { readUsualShares, type UsualShare } from './reports/usual-shares-sql.ts'
export { LedgerEntry, Wallet } from './schema.ts'
export { currentRateCard, defaultLowBalanceThreshold, pricingHeading } from './settings.ts'
export { expireDueTrials } from './trial/expire-trials.ts'
export { readTrial } from './trial/sql.ts'
