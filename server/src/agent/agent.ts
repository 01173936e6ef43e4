// Public API of the agent: what later modules may use to ask for, read and test code changes.

export { judgeTestRun, type TestVerdict } from './loop/test-integrity/test-verdict.ts'
export { type ContextFile, type ContextReport, calculateTurnLimits } from './prompt/context.ts'
export { fence, mark, type Nonce, newNonce } from './prompt/markers.ts'
export { createSecretFilter, type SecretFilter, type WithheldSecret } from './prompt/secret-filter.ts'
export { scoreDifficulty } from './quote/difficulty.ts'
export { listPossiblePrices } from './quote/quote.ts'
