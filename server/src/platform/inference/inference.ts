// The public API for models: ask, receive the answer as it is written, learn what was used. Money is no concern here.

export { askModel } from './call-model.ts'
export { isBelievable, type ReportedUsage, readUsage, type UsageBounds } from './completion/usage.ts'
export {
  EMBEDDING_LIMITS,
  type SendOptions,
  sendUpstream,
  type UpstreamReply,
} from './http/send.ts'
export {
  type Message,
  type ModelAnswer,
  type Question,
  type Target,
  type TokensUsed,
  UpstreamFailed,
} from './model-request.ts'
export {
  countTokens,
  promptTokensAtLeast,
  promptTokensAtMost,
  promptTokensAtMostOf,
  promptTokensOf,
} from './tokens/count-tokens.ts'
