// The agent's face: what capabilities below it may use of how coding answers are asked for and read.
export { type ContextFile, type ContextReport, turnLimits } from './context.ts'
export { difficultyOf } from './difficulty.ts'
export { possibleLanes } from './lanes.ts'
export { type Judged, judge } from './loop/evidence.ts'
export { fence, mark, type Nonce, newNonce } from './markers.ts'
export { isCleanPath, packFiles } from './sandbox/archive.ts'
export { type CommandRun, runCommand, runnableSandboxes } from './sandbox/sandbox.ts'
export { createSecretFilter, type SecretFilter, type Withheld } from './secret-filter.ts'
