// The Responses API: asked of the upstream itself where it has it, otherwise spoken through chat completions.
import { ApiError } from '../kernel/errors.ts'
import { toJson } from '../kernel/json.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Answer } from '../platform/http/answer.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import type { EventStream } from '../platform/http/sse.ts'
import { asOneOfFew } from './at-once.ts'
import { callFor } from './call-for.ts'
import { type Cost, costHeaders, type Finish } from './completion.ts'
import { type Call, metered, type Worked } from './gateway.ts'
import { Listener } from './listener.ts'
import { mediaIn } from './media.ts'
import { respondNatively } from './native-responses.ts'
import { secondsOf } from './our-completions.ts'
import { withoutMark } from './own-count.ts'
import { responseUsage } from './response-usage.ts'
import { eventText, type ResponseEvent, ResponseWriter } from './response-writer.ts'
import type { ResponsesRequest } from './schema.ts'
import { type Said, speak } from './spoken-responses.ts'

export async function respond(
  app: App,
  actor: Actor,
  asked: ResponsesRequest,
  request: RequestInfo,
  open: () => EventStream,
): Promise<Answer | undefined> {
  const listener = new Listener(request.gone, open)
  const media = mediaIn(asked.input, 'input')
  const ceiling = asked.max_output_tokens
  const call = callFor(app, actor, { model: asked.model, media, ceiling, request, listener })
  return asOneOfFew(app, actor, () => told(app, call, asked, listener))
}

/** A failure after the first word is the last event of the answer; before it, a refusal like any other. */
async function told(
  app: App,
  call: Call,
  asked: ResponsesRequest,
  listener: Listener,
): Promise<Answer | undefined> {
  const writer = new ResponseWriter(asked, { model: call.route.model, createdAt: secondsOf(app) })
  try {
    const { value: finish, ...cost } = await metered(app, call, (turn) =>
      answerOf(app, call, turn, asked, writer, listener),
    )
    return await finish(cost)
  } catch (error) {
    if (!listener.isOpen || !(error instanceof ApiError)) throw error
    await listener.send(eventsText(writer.failed(error)))
    return undefined
  }
}

async function answerOf(
  app: App,
  call: Call,
  turn: Turn,
  asked: ResponsesRequest,
  writer: ResponseWriter,
  listener: Listener,
): Promise<Worked<Finish>> {
  const native = await respondNatively(app, call, turn, asked, listener)
  if (native) return native
  const isStream = asked.stream === true
  const tell = async (events: ResponseEvent[]) => {
    if (isStream && events.length > 0) await listener.send(eventsText(events))
  }
  let hasBegun = false
  const said = await speak(
    app,
    call,
    turn,
    asked,
    async (delta) => {
      const beginning = hasBegun ? [] : writer.begin()
      hasBegun = true
      await tell([...beginning, ...writer.take(delta)])
    },
    writer,
  )
  const isHeard = isStream || !call.signal.aborted
  const used = said.used && isHeard ? withoutMark(said.used) : null
  return { used, finish: said.finish, value: (cost) => endOf(said, writer, tell, isStream, cost) }
}

async function endOf(
  { finish, used }: Said,
  writer: ResponseWriter,
  tell: (events: ResponseEvent[]) => Promise<void>,
  isStream: boolean,
  cost: Cost,
): Promise<Answer | undefined> {
  const closing = writer.close()
  const usage = responseUsage(used, cost)
  if (!isStream) return costHeaders({ ...cost, value: toJson(writer.whole(finish, usage)) })
  await tell([...closing, ...writer.last(finish, usage)])
  return undefined
}

const eventsText = (events: readonly ResponseEvent[]): string => events.map(eventText).join('')
