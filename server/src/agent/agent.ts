// The agent's face: what capabilities below it may use of how coding answers are asked for and read.
export { type ContextFile, type ContextReport, type Excerpt, turnLimits } from './context.ts'
export { difficultyOf } from './difficulty.ts'
export { possibleLanes } from './lanes.ts'
export { fence, mark, type Nonce, newNonce } from './markers.ts'
export { runnableSandboxes } from './sandbox/sandbox.ts'
