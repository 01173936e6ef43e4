// Metering's face: what the rest of the server may know of prices and models, and how it spends.
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
export { costOf, type Lane, priceOf } from './price.ts'
export { type Quoted, quotedMax, rememberQuote } from './quotes.ts'
export { fromKobo, RATE_CARDS, type RateCardVersion, rateOf } from './rate-card.ts'
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
