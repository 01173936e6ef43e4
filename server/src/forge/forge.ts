// Public API of the parts that all code hosts share.
export { ForgeRateLimit, ForgeRefusal, ForgeUnavailable, isForgeError, isRefusal } from './errors.ts'
export { encodePath, type ForgeClient, nullIfMissing, requestBytes, requestJson } from './http.ts'
export { countChanges, unchangedLines } from './patch-lines.ts'
export { hostName, pullNumber, readHostTime } from './payload-shapes.ts'
export { splitDiff } from './split-diff.ts'
export {
  type Access,
  type ChangedFile,
  type ChangedFiles,
  type CheckAnnotation,
  type CheckInput,
  type CommentAuthor,
  FORGE_KINDS,
  FORGE_NAMES,
  type Forge,
  type ForgeKind,
  type InlineComment,
  type InlineReview,
  isPlainPath,
  type PullSnapshot,
} from './types.ts'
