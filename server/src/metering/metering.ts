// Metering's face: what the rest of the server may know of prices, and how it spends.
export { costOf, type Lane, priceOf } from './price.ts'
export { fromKobo, RATE_CARDS, type RateCardVersion, rateOf } from './rate-card.ts'
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
} from './turns.ts'
