// Embeddings: texts as vectors, from the upstream.
import { ApiError } from '../kernel/errors.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import { EMBEDDING_LIMITS } from '../platform/inference/send.ts'
import { asOneOfFew } from './at-once.ts'
import type { Caller } from './call-for.ts'
import { recordIn } from './chat-grammar.ts'
import { costHeaders } from './completion.ts'
import { type Call, metered, type Reply, requireBound, routeTo, type Worked } from './gateway.ts'
import { callerSignal } from './listener.ts'
import { mediaIn, promptTokensWith } from './media.ts'
import { countUse, withoutMark } from './own-count.ts'
import { embeddingsPassedOn } from './passed-on.ts'
import type { EmbeddingsRequest } from './schema.ts'
import { readAll, tryUpstream } from './upstream-call.ts'
import { type Encoding, vectorAs } from './vectors.ts'

type Fields = Record<string, unknown>

/** They are read, not written: of a lane's two prices only that of reading counts, and always on the open lane. */
export async function embed(
  app: App,
  { actor, request, once }: Omit<Caller, 'open'>,
  asked: EmbeddingsRequest,
): Promise<Reply> {
  routeTo(app, actor, asked.model)
  const route = routeTo(app, actor, 'open')
  request.setHeader('x-cowrie-lane', route.lane)
  const media = mediaIn([], 'input')
  const call: Call = {
    actor,
    route,
    promptTokens: promptTokensWith(request.raw, media),
    media,
    outputCeiling: 0,
    leastOutput: 0,
    signal: callerSignal(once, request.gone),
    once,
    listener: null,
  }
  return asOneOfFew(app, actor, () => metered(app, call, (turn) => fromUpstream(app, call, turn, asked)))
}

async function fromUpstream(app: App, call: Call, turn: Turn, asked: EmbeddingsRequest): Promise<Worked> {
  const body = JSON.stringify({ ...embeddingsPassedOn(asked), model: call.route.model })
  const sent = { path: '/embeddings', body, isStream: false, limits: EMBEDDING_LIMITS }
  const replied = await tryUpstream(app, call, sent)
  if ('missing' in replied)
    throw new ApiError('inference_not_configured', {
      error: 'The model service of this deployment has no embeddings; ask its operator.',
    })
  const bytes = await readAll(replied.reply)
  const list = recordIn(bytes.toString())
  const wanted = [asked.input].flat().length
  if (!list || !Array.isArray(list.data) || list.data.length !== wanted)
    throw new UpstreamFailed('failed', 'it answered with no embeddings')
  requireBound(app, call, list.model)
  const { requestBytes } = replied
  const { media } = call
  const used = countUse(app, turn, { said: list, asked, media, requestBytes, outputTokens: () => 0 })
  const answered = inEncoding(list, list.data, asked.encoding_format ?? 'float') ?? bytes
  return {
    used: call.signal.aborted ? null : withoutMark(used),
    finish: 'stop',
    last: (cost) => costHeaders(answered, cost),
  }
}

/** Some upstreams know one encoding alone, whichever they are asked for. Null where they sent the right one. */
function inEncoding(list: Fields, data: unknown[], encoding: Encoding): string | null {
  const asked = data.map((each) => {
    const given = (each as Fields | null)?.embedding
    const embedding = vectorAs(encoding, given)
    return { isAsSent: embedding === given, item: { ...(each as Fields), embedding } }
  })
  if (asked.every(({ isAsSent }) => isAsSent)) return null
  return JSON.stringify({ ...list, data: asked.map(({ item }) => item) })
}
