// From a model's answer to edits that can be trusted: read the envelope, apply it to the files it was shown, and let
// nothing through that is unsafe, ambiguous or broken. Pure code: it touches neither database nor network nor files,
// except for the grammars it loads once.
export { type Applied, applyEnvelope, type FileEdit } from './apply.ts'
export { isAttempt } from './attempt.ts'
export type { Action, Block, BrokenBlock, Change, Envelope, Finish, Hunk } from './envelope.ts'
export {
  createEnvelopeReader,
  type EnvelopeReader,
  readEnvelope,
  readEnvelopeInTurns,
} from './envelope-reader.ts'
export type { EditFailure, FailureReason } from './failures.ts'
export { EDIT_LIMITS, type EditLimits } from './limits.ts'
export { type CleanPath, cleanPath, isCleanContextPath, type PathRefusal } from './paths.ts'
