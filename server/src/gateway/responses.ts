// The Responses API: asked of the upstream itself where it has it, otherwise spoken through chat completions.
import { toJson } from '../kernel/json.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { asOneOfFew } from './at-once.ts'
import { type Caller, callFor, type StreamCall } from './call-for.ts'
import { costHeaders, secondsOf } from './completion.ts'
import { metered, type Reply, routeTo, type Worked } from './gateway.ts'
import { mediaIn } from './media.ts'
import { respondNatively } from './native-responses.ts'
import { withoutMark } from './own-count.ts'
import { responseUsage } from './response-usage.ts'
import { eventText, type ResponseEvent, ResponseWriter } from './response-writer.ts'
import type { ResponsesRequest } from './schema.ts'
import { speak } from './spoken-responses.ts'
import { reasonIn } from './wire-errors.ts'

export async function respond(app: App, caller: Caller, asked: ResponsesRequest): Promise<Reply> {
  const media = mediaIn(asked.input, 'input')
  const { model } = routeTo(app, caller.actor, asked.model)
  const writer = new ResponseWriter(asked, { model, createdAt: secondsOf(app) })
  // A failure after the first byte is the last event of the answer; before it, a refusal like any other.
  const errorText = (refusal: object) => eventsText(writer.failed(reasonIn(refusal)))
  const ceiling = asked.max_output_tokens
  const call = callFor(app, caller, { model: asked.model, media, ceiling, errorText })
  return asOneOfFew(app, caller.actor, () =>
    metered(app, call, (turn) => answerOf(app, call, turn, asked, writer)),
  )
}

async function answerOf(
  app: App,
  call: StreamCall,
  turn: Turn,
  asked: ResponsesRequest,
  writer: ResponseWriter,
): Promise<Worked> {
  const isStream = asked.stream === true
  if (isStream) call.listener.awaitFirstByte()
  const native = await respondNatively(app, call, turn, asked)
  if (native) return native
  const tell = async (events: ResponseEvent[]) => {
    if (isStream && events.length > 0) await call.listener.send(eventsText(events))
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
  const closing = eventsText(writer.close())
  const { used, finish } = said
  const isHeard = isStream || !call.signal.aborted
  return {
    used: used && isHeard ? withoutMark(used) : null,
    finish,
    last: (cost) => {
      const usage = responseUsage(used, cost)
      if (!isStream) return costHeaders(toJson(writer.whole(finish, usage)), cost)
      return closing + eventText(writer.last(finish, usage))
    },
  }
}

const eventsText = (events: readonly ResponseEvent[]): string => events.map(eventText).join('')
