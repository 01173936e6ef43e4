// The wallet's face: all that other capabilities may do with money.
export type { Account, HoldSource, HoldState, Source } from './apply-sql.ts'
export {
  type Balances,
  extend,
  type Hold,
  type HoldId,
  type Reservation,
  type Reserved,
  release,
  releaseIn,
  reserve,
  type Settled,
  settle,
  settleIn,
  type Usage,
} from './holds.ts'
export { credit, debit, type EntryId, grantIncluded, type Move, type Moved } from './moves.ts'
export { balances } from './read.ts'
export { defaultLowBalanceThreshold, pricingHeading } from './settings.ts'
