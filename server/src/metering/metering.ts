// Metering's face: what the rest of the server may know of prices and models, and how it spends.
export { fromKobo, RATE_CARDS, type RateCardVersion, rateCardNow, rateOf, toKobo } from '../wallet/wallet.ts'
export {
  activeDuring,
  activeSeries,
  type CellUsed,
  type LaneUsed,
  lastUseOf,
  rankByLastUse,
  tokensByOrg,
  type Used,
  usageByCell,
  usageByLane,
  usageByMember,
  usageByModel,
  usageSeries,
} from './figures.ts'
export { usageChecks } from './invariants.ts'
export {
  holdDeadline,
  keepHeld,
  settleTaken,
  settleTakenIn,
  type TakenTurn,
  type TurnAsk,
  type TurnOutcome,
  takeTurn,
} from './model-turn.ts'
export { closedTo, type Payer, payerOf } from './payer.ts'
export { costOf, type Lane, ourCostOf, priceOf } from './price.ts'
export { type Quoted, quotedMax, rememberQuote } from './quotes.ts'
export { hasUpstream, lanesFor, type ModelRoute, routeFor, type Wish } from './routing.ts'
export {
  releaseTurn,
  releaseTurnIn,
  reserveTurn,
  type SettledTurn,
  settleTurn,
  settleTurnIn,
  type Turn,
  type TurnRequest,
  type TurnUsage,
  usedBy,
} from './turns.ts'
export { keyRefusal, noteServed, refusalFor } from './upstream-health.ts'
