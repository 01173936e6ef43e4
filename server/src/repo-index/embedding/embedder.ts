// Who turns texts into vectors: the model that is built in, or one of the upstream where the deployment names it.
import { EMBEDDING_MODEL, embedQuery } from '@cowrie/models/embedding/embedding.ts'
import { lanesFor } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { runTask, task } from '../../platform/workers/workers.ts'
import type { TaskContext } from '../task-context.ts'
import type { EmbedInput } from './embed-task.ts'
import { type CountedText, embedByUpstream, embedQueryByUpstream } from './upstream-embeddings.ts'

export type Embedder = {
  /** As it is stored beside what it made: vectors of two models are never compared. */
  readonly model: string
  /** Whether texts can be embedded again and again without anybody paying for it. */
  readonly isBuiltIn: boolean
  /** Vectors of all texts, one after the other. */
  embed(texts: readonly CountedText[], whom: TaskContext): Promise<Uint8Array>
  /** Null when there is none to be had just now. */
  embedQuery(text: string, signal: AbortSignal): Promise<Int8Array | null>
}

/** What an organisation keeps in a region does not leave us: its index is always made by the built-in model. */
export function embedderFor(app: App, org: Actor['org']): Embedder {
  const model = app.config.embeddingsModel
  const target = model === null || org.residencyRegion !== null ? undefined : lanesFor(app, org)[0]?.target
  if (model === null || !target) return builtIn
  return {
    model,
    isBuiltIn: false,
    embed: (texts, { signal }) => embedByUpstream(app, { target, model }, texts, signal),
    embedQuery: (text, signal) => embedQueryByUpstream(app, { target, model }, text, signal),
  }
}

const embedTask = task<EmbedInput, Uint8Array>(new URL('./embed-task.ts', import.meta.url))
const TEXTS_AT_ONCE = 500
const TIMEOUT_MS = 15_000

const builtIn: Embedder = {
  model: EMBEDDING_MODEL,
  isBuiltIn: true,
  async embed(counted, whom) {
    const parts: Uint8Array[] = []
    for (let at = 0; at < counted.length; at += TEXTS_AT_ONCE) {
      const texts = counted.slice(at, at + TEXTS_AT_ONCE).map(({ text }) => text)
      parts.push(await runTask(embedTask, { texts }, { ...whom, timeoutMs: TIMEOUT_MS }))
    }
    return Buffer.concat(parts)
  },
  embedQuery: async (text) => embedQuery(text),
}
