// The next question of a thread: who answers it, and what they are told of what was said before.
import { difficultyOf } from '../agent/agent.ts'
import { type ModelRoute, routeFor } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { windowBytes, windowTokens } from './limits.ts'
import { type Extent, extentOf, firstQuestion, newestTold } from './messages-sql.ts'
import { systemPrompt } from './prompt.ts'
import type { Mode, ThreadId } from './sql.ts'
import { type Conversation, type Window, windowOf } from './window.ts'

// One round trip brings them; more messages than this are told to no model.
const TOLD_MAX = 400

export type Said = Extent & Pick<Conversation, 'first' | 'newest'>

/** A question before it is asked, as a message and its quote bring it. */
export type Ask = { prompt: string; frontier?: boolean | undefined; maxMinor?: bigint | undefined }

/** Who answers. The same for a message and for its quote. */
export const routeOf = (app: App, { org }: Actor, { prompt, frontier }: Ask): ModelRoute =>
  routeFor(app, org, { frontier, difficulty: difficultyOf(prompt, []).score })

export async function readSaid(app: App, tx: Tx, thread: ThreadId): Promise<Said> {
  const bytes = windowBytes(app.config.upstreamContextTokens)
  const extent = await extentOf(tx, thread)
  const first = await firstQuestion(tx, thread)
  return { ...extent, first, newest: await newestTold(tx, thread, { limit: TOLD_MAX, bytes }) }
}

/** What a model is asked. Code mode has a place for excerpts of an indexed repository; so far there are none. */
export function windowFor(app: App, mode: Mode, prompt: string, said?: Said): Window {
  const { first, newest = [], told: total = 0 } = said ?? {}
  const system = systemPrompt(mode, [])
  return windowOf({ system, first, newest, total, prompt }, windowTokens(app.config.upstreamContextTokens))
}
