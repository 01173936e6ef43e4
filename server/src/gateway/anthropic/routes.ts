// The routes of the Anthropic Messages API. The list of models is shared with the OpenAI-compatible API.
import { rawJson, route } from '../../platform/http/route.ts'
import { countRequest } from '../count-tokens.ts'
import {
  ANY_PROVIDER,
  BODY_BYTES,
  CEILING,
  CONCURRENT_CALLS,
  COST,
  IMAGE,
  IMAGE_URLS,
  KEY,
  MODEL_ERRORS,
  PAID_ERRORS,
} from '../route-parts.ts'
import { answerInWire } from '../wire-call.ts'
import { CountTokensRequest, MessagesEvent, MessagesReply, MessagesRequest, TokenCount } from './schema.ts'

const SUBSET =
  'Supported: text, images, documents, tool use and results, thinking, prompt caching, stop sequences and streams. Tools that run at the provider, containers, MCP servers, the Files API, message batches and `pause_turn` are not supported. `anthropic-version`, `anthropic-beta` and the query `beta` are accepted and change nothing.'
const MEDIA = `An image ${IMAGE}.`

export const anthropicRoutes = [
  route('gateway.messages', 'POST /v1/messages', {
    summary: 'Create a message of the Anthropic Messages API, complete or streamed.',
    detail: `${SUBSET} ${ANY_PROVIDER} ${CEILING} ${IMAGE_URLS} ${MEDIA} ${CONCURRENT_CALLS} ${COST} The last \`usage\` contains both as \`cost_minor\` and \`balance_minor\`. ${KEY}`,
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: MessagesRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    reply: { 200: rawJson(MessagesReply, 'The answer.') },
    stream: MessagesEvent,
    errors: PAID_ERRORS,
    handle: ({ app, body, ...caller }) => answerInWire(app, caller, 'anthropic', body),
  }),

  route('gateway.countMessageTokens', 'POST /v1/messages/count_tokens', {
    summary: 'Count the input tokens of a message, free of charge.',
    detail: `Counted with our tokenizer; the provider may count a little differently. Long prompts are estimated. ${MEDIA}`,
    access: { scope: 'agent:run' },
    rate: 'global',
    body: CountTokensRequest,
    bodyLimitBytes: BODY_BYTES,
    takesAnyText: true,
    reply: { 200: TokenCount },
    errors: MODEL_ERRORS,
    handle: ({ app, actor, body }) => ({
      input_tokens: countRequest(app, actor, 'anthropic', { max_tokens: 1, ...body }),
    }),
  }),
]
