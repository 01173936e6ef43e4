// Reads the stream of a provider and sends it to the client in the format of the client.
import type { Turn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import { SseReader } from '../../platform/inference/completion/sse-reader.ts'
import type { UpstreamReply } from '../../platform/inference/http/send.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import type { StreamTranslator } from '../../platform/wires/wires.ts'
import { requirePinnedModel } from '../gateway.ts'
import type { StreamCall } from '../model-call.ts'
import { OutputText } from '../stream/output-text.ts'
import { Pace } from '../stream/pace.ts'
import { createOutputLimit, endingAfter, type RelayEnding, readPaced, readTrailer } from '../stream/relay.ts'

export type TranslatedRelay = { readonly ending: RelayEnding; readonly written: OutputText }

export async function relayTranslated(
  app: App,
  call: StreamCall,
  turn: Turn,
  reply: UpstreamReply,
  translator: StreamTranslator,
): Promise<TranslatedRelay> {
  const written = new OutputText()
  try {
    await relayEvents(app, call, turn, reply, translator, written)
    if (written.length === 0 && translator.finish() !== 'length')
      throw new UpstreamFailed('failed', 'the upstream returned an empty answer')
    reply.finish()
    return { ending: 'complete', written }
  } catch (error) {
    call.output.stop()
    return { ending: endingAfter(call, error, written.length > 0), written }
  } finally {
    reply.close()
  }
}

async function relayEvents(
  app: App,
  call: StreamCall,
  turn: Turn,
  reply: UpstreamReply,
  translator: StreamTranslator,
  written: OutputText,
): Promise<void> {
  const reader = new SseReader()
  const requireEnd = createOutputLimit(turn)
  const pace = new Pace()
  let readBytes = 0
  for (let isEnd = false; !isEnd; ) {
    const chunk = translator.finish() === null ? await readPaced(reply, pace) : await readTrailer(reply)
    isEnd = chunk === null
    let bytes = ''
    for (const data of chunk ? reader.push(chunk) : reader.end()) {
      const piece = translator.push(data)
      bytes += piece.bytes
      written.add(piece.text)
    }
    if (isEnd) bytes += translator.end().bytes
    requirePinnedModel(app, call, translator.model())
    readBytes += chunk?.length ?? 0
    // Bytes before the first text are withheld: the provider may still fail.
    if (bytes !== '' && written.length > 0) {
      pace.mark()
      await call.output.send(bytes)
    } else if (bytes !== '') await call.output.keep(Buffer.from(bytes))
    requireEnd(written, readBytes)
  }
}
