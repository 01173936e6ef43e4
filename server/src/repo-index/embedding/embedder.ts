// Chooses the embedding model: the built-in one, or an upstream model if the deployment configures one.
import { EMBEDDING_MODEL, embedQuery } from '@cowrie/models/embedding/embedding.ts'
import { lanesFor } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { runTask, task } from '../../platform/workers/workers.ts'
import type { TaskContext } from '../task-context.ts'
import type { EmbedInput } from './embed-task.ts'
import { type CountedText, embedByUpstream, embedQueryByUpstream } from './upstream-embeddings.ts'

export type Embedder = {
  /** Stored with each vector, because vectors of different models are never compared. */
  readonly model: string
  /** Whether embedding is free, so that texts can be embedded repeatedly. */
  readonly isBuiltIn: boolean
  /** The vectors of all texts, concatenated. */
  embed(texts: readonly CountedText[], context: TaskContext): Promise<Uint8Array>
  /** Null when the model is unavailable. */
  embedQuery(text: string, signal: AbortSignal): Promise<Int8Array | null>
}

/** Code of an organisation with a data region must not leave the service, so the built-in model embeds it. */
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
const TEXTS_PER_TASK = 500
const TIMEOUT_MS = 15_000

const builtIn: Embedder = {
  model: EMBEDDING_MODEL,
  isBuiltIn: true,
  async embed(counted, context) {
    const parts: Uint8Array[] = []
    for (let at = 0; at < counted.length; at += TEXTS_PER_TASK) {
      const texts = counted.slice(at, at + TEXTS_PER_TASK).map(({ text }) => text)
      parts.push(await runTask(embedTask, { texts }, { ...context, timeoutMs: TIMEOUT_MS }))
    }
    return Buffer.concat(parts)
  },
  embedQuery: async (text) => embedQuery(text),
}
