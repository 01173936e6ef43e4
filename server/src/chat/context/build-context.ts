// Prepares the next model call of a thread: its route, the history, and the context that the model receives.
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

// Read in one round trip. No model receives more messages than this.
const CONTEXT_ROWS_MAX = 400

export type ThreadHistory = ThreadStats & Pick<Conversation, 'first' | 'newest'>

/** The input of a message or of its quote. */
export type MessageInput = {
  prompt: string
  repo?: string | undefined
  frontier?: boolean | undefined
  maxMinor?: bigint | undefined
  allowSecrets?: boolean | undefined
}

/** The same for a message and for its quote. */
export const chooseRoute = (app: App, { org }: Actor, { prompt, frontier }: MessageInput): ModelRoute =>
  routeFor(app, org, { frontier, difficulty: scoreDifficulty(prompt, []).score })

export async function readHistory(app: App, tx: Tx, thread: ThreadId): Promise<ThreadHistory> {
  const bytes = windowBytes(app.config.upstreamContextTokens)
  const extent = await readThreadStats(tx, thread)
  const first = await firstQuestion(tx, thread)
  return { ...extent, first, newest: await newestContextRows(tx, thread, { limit: CONTEXT_ROWS_MAX, bytes }) }
}

/** Builds the context of a model call. In code mode it includes excerpts from the repository index. */
export async function buildContext(
  app: App,
  actor: Actor,
  mode: Mode,
  input: MessageInput,
  history?: ThreadHistory,
): Promise<ContextWindow & { readonly withheld: readonly WithheldSecret[] }> {
  const allowSecrets = input.allowSecrets === true
  const secrets = createSecretFilter({ owner: actor.orgId, allowSecrets }, [])
  const { contextMessages: total = 0 } = history ?? {}
  const { first, newest } = allowSecrets ? { newest: [], ...history } : await redactHistory(secrets, history)
  const prompt = await secrets.hidePrompt('prompt', input.prompt)
  const space = windowTokens(app.config.upstreamContextTokens)
  const found = mode === 'code' ? await findExcerpts(app, actor, { ...input, prompt }, newest, space) : []
  const excerpts: Excerpt[] = []
  for (const each of found)
    excerpts.push({ ...each, text: await secrets.hideForeignText(each.path, each.text) })
  const window = buildContextWindow(
    { system: systemPrompt(mode, excerpts), first, newest, total, prompt },
    space,
  )
  return { ...window, withheld: secrets.withheld }
}

/** Processes messages oldest first, so that a secret gets the same placeholder in every turn. */
async function redactHistory(
  secrets: SecretFilter,
  history: ThreadHistory | undefined,
): Promise<Pick<ThreadHistory, 'first' | 'newest'>> {
  const contents = new Map<string, string>()
  const { first, newest = [] } = history ?? {}
  for (const { id, content } of [...(first ? [first] : []), ...newest.toReversed()])
    if (!contents.has(id)) contents.set(id, await secrets.hideForeignText('conversation', content))
  const hide = (message: ContextMessage): ContextMessage => ({
    ...message,
    content: contents.get(message.id) ?? '',
  })
  return { first: first && hide(first), newest: newest.map(hide) }
}

const EXCERPTS_MAX = 8
const EXCERPTS_SHARE = 0.25
// The system prompt and the note about omitted messages.
const OVERHEAD_TOKENS = 1_000
/** A question this short refers to earlier messages, so retrieval also uses the previous question. */
const SHORT_CHARACTERS = 80

function findExcerpts(
  app: App,
  actor: Actor,
  { prompt, repo }: MessageInput,
  newest: Conversation['newest'],
  space: number,
): Promise<Excerpt[]> {
  const before = newest.find(({ role }) => role === 'user')?.content ?? ''
  const query = prompt.length <= SHORT_CHARACTERS ? `${prompt}\n${before}` : prompt
  const left = space - estimateMaxPromptTokens([{ role: 'user', content: prompt }]) - OVERHEAD_TOKENS
  const tokensMax = Math.min(Math.floor(space * EXCERPTS_SHARE), left)
  return retrieve(app, actor, { query, repo, limit: EXCERPTS_MAX, tokensMax })
}
