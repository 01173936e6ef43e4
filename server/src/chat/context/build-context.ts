// The next question of a thread: who answers it, and what they are told of what was said before.
import {
  createSecretFilter,
  type SecretFilter,
  scoreDifficulty,
  type WithheldSecret,
} from '../../agent/agent.ts'
import { type ModelRoute, routeFor } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { estimateMaxPromptTokens } from '../../platform/inference/inference.ts'
import { type Excerpt, retrieve } from '../../repo-index/repo-index.ts'
import { windowBytes, windowTokens } from '../limits.ts'
import {
  firstQuestion,
  newestContextRows,
  readThreadStats,
  type ThreadStats,
} from '../threads/messages-sql.ts'
import type { Mode, ThreadId } from '../threads/threads-sql.ts'
import {
  buildContextWindow,
  type ContextMessage,
  type ContextWindow,
  type Conversation,
} from './context-window.ts'
import { systemPrompt } from './system-prompt.ts'

// One round trip brings them; more messages than this are told to no model.
const CONTEXT_ROWS_MAX = 400

export type ThreadHistory = ThreadStats & Pick<Conversation, 'first' | 'newest'>

/** A question before it is asked, as a message and its quote bring it. */
export type MessageInput = {
  prompt: string
  repo?: string | undefined
  frontier?: boolean | undefined
  maxMinor?: bigint | undefined
  allowSecrets?: boolean | undefined
}

/** Who answers. The same for a message and for its quote. */
export const chooseRoute = (app: App, { org }: Actor, { prompt, frontier }: MessageInput): ModelRoute =>
  routeFor(app, org, { frontier, difficulty: scoreDifficulty(prompt, []).score })

export async function readHistory(app: App, tx: Tx, thread: ThreadId): Promise<ThreadHistory> {
  const bytes = windowBytes(app.config.upstreamContextTokens)
  const extent = await readThreadStats(tx, thread)
  const first = await firstQuestion(tx, thread)
  return { ...extent, first, newest: await newestContextRows(tx, thread, { limit: CONTEXT_ROWS_MAX, bytes }) }
}

/** What a model is asked. In code mode it is shown what the index has about the question. */
export async function buildContext(
  app: App,
  actor: Actor,
  mode: Mode,
  ask: MessageInput,
  said?: ThreadHistory,
): Promise<ContextWindow & { readonly withheld: readonly WithheldSecret[] }> {
  const allowSecrets = ask.allowSecrets === true
  const secrets = createSecretFilter({ owner: actor.orgId, allowSecrets }, [])
  const { contextMessages: total = 0 } = said ?? {}
  const { first, newest } = allowSecrets ? { newest: [], ...said } : await redactHistory(secrets, said)
  const prompt = await secrets.hidePrompt('prompt', ask.prompt)
  const room = windowTokens(app.config.upstreamContextTokens)
  const found = mode === 'code' ? await findExcerpts(app, actor, { ...ask, prompt }, newest, room) : []
  const excerpts: Excerpt[] = []
  for (const each of found)
    excerpts.push({ ...each, text: await secrets.hideForeignText(each.path, each.text) })
  const window = buildContextWindow(
    { system: systemPrompt(mode, excerpts), first, newest, total, prompt },
    room,
  )
  return { ...window, withheld: secrets.withheld }
}

/** In the order it was said, so that a value has the same placeholder in every turn. */
async function redactHistory(
  secrets: SecretFilter,
  said: ThreadHistory | undefined,
): Promise<Pick<ThreadHistory, 'first' | 'newest'>> {
  const contents = new Map<string, string>()
  const { first, newest = [] } = said ?? {}
  for (const { id, content } of [...(first ? [first] : []), ...newest.toReversed()])
    if (!contents.has(id)) contents.set(id, await secrets.hideForeignText('conversation', content))
  const hide = (told: ContextMessage): ContextMessage => ({ ...told, content: contents.get(told.id) ?? '' })
  return { first: first && hide(first), newest: newest.map(hide) }
}

const EXCERPTS_MAX = 8
const EXCERPTS_SHARE = 0.25
// What is told besides: who the model is, and that something was left out.
const OVERHEAD_TOKENS = 1_000
/** A question as short as this is about what was said before. */
const SHORT_CHARACTERS = 80

function findExcerpts(
  app: App,
  actor: Actor,
  { prompt, repo }: MessageInput,
  newest: Conversation['newest'],
  room: number,
): Promise<Excerpt[]> {
  const before = newest.find(({ role }) => role === 'user')?.content ?? ''
  const query = prompt.length <= SHORT_CHARACTERS ? `${prompt}\n${before}` : prompt
  const left = room - estimateMaxPromptTokens([{ role: 'user', content: prompt }]) - OVERHEAD_TOKENS
  const tokensMax = Math.min(Math.floor(room * EXCERPTS_SHARE), left)
  return retrieve(app, actor, { query, repo, limit: EXCERPTS_MAX, tokensMax })
}
