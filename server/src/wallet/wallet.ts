// The wallet's face: all that other capabilities may do with money.
export { allowanceUsed } from './allowance-sql.ts'
export type { HoldSource, HoldState, LedgerAccount, PostingSource } from './apply-sql.ts'
export { findEntry, readHoldTerms } from './explain-sql.ts'
export {
  allowanceSeries,
  type MoneyFigures,
  moneyFigures,
  moneySeries,
  type WalletFigures,
  walletFigures,
} from './figures-sql.ts'
export { type FreezeResult, freeze } from './freeze.ts'
export {
  affordableOutput,
  calculateCharge,
  HoldTerms,
  minorOf,
  priceOfTerms,
  type TokenPrice,
  turnCost,
  type Usage,
} from './hold-pricing.ts'
export {
  type Balances,
  extendHold,
  type Hold,
  type HoldId,
  type Reservation,
  type ReserveResult,
  release,
  releaseByRef,
  releaseIn,
  reserve,
  reserveIn,
  type SettleResult,
  settle,
  settleIn,
} from './holds.ts'
export {
  type CheckFinding,
  checkHashes,
  type InvariantCheck,
  runChecks,
  trialBalance,
  walletChecks,
} from './invariants.ts'
export { lockLowBalanceState, updateLowBalanceState } from './low-balance-sql.ts'
export {
  credit,
  debit,
  type EntryId,
  grantIncluded,
  type PostingInput,
  type PostingResult,
} from './postings.ts'
export {
  balancesByOrg,
  type KoboRates,
  moneyByOrg,
  type OrgMoney,
  type OrgRank,
  rankByBalance,
  rankByUsage,
} from './ranks-sql.ts'
export { fromKobo, RATE_CARDS, type RateCardVersion, rateOf, toKobo } from './rate-card.ts'
export { lockWallet, readBalances, readSpendable } from './read.ts'
export { LedgerEntry, Wallet } from './schema.ts'
export { currentRateCard, defaultLowBalanceThreshold, pricingHeading } from './settings.ts'
export { type MemberCap, readMemberCap } from './sql.ts'
