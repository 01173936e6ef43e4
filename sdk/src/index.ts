// The public API of the SDK.
export {
  type Answer,
  type Client,
  type CustomerClient,
  createCustomerClient,
  type RequestOptions,
} from './client.ts'
export {
  type ClientToolCall,
  type ClientToolsOptions,
  runClientTools,
  type ToolHandlers,
  type ToolInputs,
  type ToolOutcome,
} from './client-tools.ts'
export { type Code, CowrieError, type Field, type LocalCode } from './errors.ts'
export {
  type CollectOptions,
  collect,
  type FollowOptions,
  type FollowTaskOptions,
  followAllTurns,
  followResearch,
  followTask,
  type LastFrame,
} from './follow.ts'
export { createClient } from './full-client.ts'
export type * from './generated.ts'
export { API_VERSION } from './generated.ts'
export type { ErrorCode, Outcome } from './generated-errors.ts'
export { fromJson, toJson } from './json.ts'
export { newIdempotencyKey } from './key.ts'
export { type LineDelta, lineDelta } from './line-delta.ts'
export type { CallOptions } from './operation.ts'
export { outcomeOf, resumable, retryable } from './outcome.ts'
export { paginate } from './paginate.ts'
export type { ClientOptions } from './transport.ts'
export { type TurnOptions, waitForTurn } from './turns.ts'
export { SDK_VERSION } from './version.ts'
export { verifyWebhook, type WebhookCall, WebhookError, type WebhookEvent } from './webhook.ts'
