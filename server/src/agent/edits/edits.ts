// From a model's answer to edits that can be trusted: read the envelope, apply it to the files it was shown, and let
// nothing through that is unsafe, ambiguous or broken. Pure code: it touches neither database nor network nor files,
// except for the grammars it loads once.
export { type AppliedEdits, applyEnvelope, type FileEdit } from './apply/apply.ts'
export type { EditFailure, FailureReason } from './apply/failures.ts'
export { type CleanPath, cleanPath, isCleanContextPath, type PathRefusal } from './apply/paths.ts'
export type {
  AnswerEnvelope,
  BlockChange,
  BrokenBlock,
  EditAction,
  EditHunk,
  FileBlock,
  Finish,
} from './envelope.ts'
export { EDIT_LIMITS, type EditLimits } from './limits.ts'
export { intendsEdits } from './reader/edit-intent.ts'
export {
  createEnvelopeReader,
  type EnvelopeReader,
  readEnvelope,
  readEnvelopeInChunks,
} from './reader/envelope-reader.ts'
