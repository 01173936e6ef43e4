// POST /v1/responses: through the Responses API of the upstream, otherwise through its chat completions.
import { toJson } from '../../kernel/json.ts'
import { type MeteredReply, type ModelOutcome, runMeteredCall, type Turn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { costHeaders, secondsOf } from '../chat/completion.ts'
import { streamErrorOf } from '../chat/wire-errors.ts'
import { withConcurrencyLimit } from '../concurrency-limit.ts'
import { routeTo } from '../gateway.ts'
import { type Caller, createCall, type StreamCall } from '../model-call.ts'
import type { ResponsesRequest } from '../schema.ts'
import { mediaIn } from '../upstream/media.ts'
import { toTurnUsage } from '../upstream/usage-count.ts'
import { respondNatively } from './native-responses.ts'
import { eventText, type ResponseEvent, ResponseWriter, responseUsage } from './response-writer.ts'
import { respondViaChat } from './responses-via-chat.ts'

export async function respond(app: App, caller: Caller, asked: ResponsesRequest): Promise<MeteredReply> {
  const media = mediaIn(asked.input, 'input')
  const { model } = routeTo(app, caller.actor, asked.model)
  const writer = new ResponseWriter(asked, { model, createdAt: secondsOf(app) })
  // An error after the first byte becomes the last event. Before that it is an error response.
  const errorText = (refusal: object) => eventsText(writer.failed(streamErrorOf(refusal)))
  const ceiling = asked.max_output_tokens
  const call = createCall(app, caller, { model: asked.model, media, ceiling, errorText })
  return withConcurrencyLimit(app, caller.actor, () =>
    runMeteredCall(app, call, (turn) => answerOf(app, call, turn, asked, writer)),
  )
}

async function answerOf(
  app: App,
  call: StreamCall,
  turn: Turn,
  asked: ResponsesRequest,
  writer: ResponseWriter,
): Promise<ModelOutcome> {
  const isStream = asked.stream === true
  if (isStream) call.output.awaitFirstByte()
  const native = await respondNatively(app, call, turn, asked)
  if (native) return native
  const tell = async (events: ResponseEvent[]) => {
    if (isStream && events.length > 0) await call.output.send(eventsText(events))
  }
  let hasBegun = false
  const said = await respondViaChat(
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
  const closing = eventsText(writer.close())
  const { used, finish } = said
  const isHeard = isStream || !call.signal.aborted
  return {
    used: used && isHeard ? toTurnUsage(used) : null,
    finish,
    last: (cost) => {
      const usage = responseUsage(used, cost)
      if (!isStream) return costHeaders(toJson(writer.whole(finish, usage)), cost)
      return closing + eventText(writer.last(finish, usage))
    },
  }
}

const eventsText = (events: readonly ResponseEvent[]): string => events.map(eventText).join('')
