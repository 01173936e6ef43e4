// Worker task: inspects the change of a turn.
export { inspectChange as run } from './inspect-change.ts'
