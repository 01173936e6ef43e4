// The public API of metering: prices, model routing, and paid model calls.
export { fromKobo, RATE_CARDS, type RateCardVersion, rateCardNow, rateOf, toKobo } from '../wallet/wallet.ts'
export { type Payer, payerOf, paymentBlock } from './payer.ts'
export { costOf, type Lane, ourCostOf, priceOf } from './price.ts'
export { hasUpstream, type LanePreference, lanesFor, type ModelRoute, routeFor } from './routing.ts'
export {
  type Cost,
  type MeteredCall,
  type MeteredReply,
  type ModelOutcome,
  runMeteredCall,
} from './turns/metered-call.ts'
export {
  type FinishedTurn,
  runModelTurn,
  settleFinished,
  settleFinishedIn,
} from './turns/model-turn.ts'
export { type Quoted, quotedMax, rememberQuote } from './turns/quotes.ts'
export { holdDeadline, renewHold, throwIfShuttingDown } from './turns/run-turn.ts'
export {
  chargeFor,
  releaseTurn,
  releaseTurnIn,
  reserveTurn,
  settleTurn,
  settleTurnIn,
  type Turn,
  type TurnUsage,
} from './turns/turns.ts'
export { keyRefusal, upstreamError } from './upstream-health.ts'
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
