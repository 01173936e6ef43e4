// The public API for model calls: requests, streamed answers and token usage. It does not handle money.

export { isPlausibleUsage, type ReportedUsage, readUsage, type UsageLimits } from '../wires/usage.ts'
export {
  type AnswerPiece,
  type ConversationAnswer,
  type ConversationRequest,
  callConversation,
  PromptTooLong,
} from './call-conversation.ts'
export { callModel } from './call-model.ts'
export { type ProbeResult, probeUpstream } from './http/probe.ts'
export {
  EMBEDDING_LIMITS,
  type SendOptions,
  sendUpstream,
  type UpstreamReply,
} from './http/send.ts'
export {
  type Message,
  type ModelAnswer,
  type ModelRequest,
  type ProviderWire,
  type Target,
  type TokensUsed,
  UpstreamFailed,
} from './model-request.ts'
export {
  countPromptTokens,
  countTokens,
  estimateMaxPromptTokens,
  estimateMaxTextTokens,
  estimateMinPromptTokens,
} from './tokens/count-tokens.ts'
export { countPrompt, estimatePrompt } from './tokens/prompt-tokens.ts'
