// The public API of metering: prices, model routing, and paid model calls.
export {
  currentRateCard,
  fromKobo,
  RATE_CARDS,
  type RateCardVersion,
  rateOf,
  toKobo,
} from '../wallet/wallet.ts'
export { costOf, costOfTurns, type Lane, minCostOf, ourCostOf, priceOf } from './price.ts'
export { CallRecord } from './requests/call-record.ts'
export {
  catalogueFor,
  type LanePreference,
  lanesFor,
  type ModelRoute,
  modelNames,
  modelNotFound,
  nextRoute,
  retriesOf,
  routeFor,
  routeToModel,
  usageName,
} from './routing.ts'
export {
  type AnsweredTurn,
  type ConversationTurn,
  runConversationTurn,
} from './turns/conversation-turn.ts'
export {
  type CallWork,
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
export { type QuotedWork, quotedMax, storeQuote } from './turns/quotes.ts'
export { holdDeadline, renewHold, throwIfShuttingDown } from './turns/run-turn.ts'
export {
  chargeFor,
  RESERVATION_ERRORS,
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
  type LaneUsage,
  lastUseOf,
  rankByLastUse,
  tokensByOrg,
  type UsageCell,
  type UsageTotals,
  usageByCell,
  usageByLane,
  usageByMember,
  usageByModel,
  usageSeries,
} from './usage/figures.ts'
export { usageChecks } from './usage/invariants.ts'
export { usualCostOf } from './usual-costs/usual-costs.ts'
export { usuallyMinor } from './usual-costs/usual-costs-schema.ts'
