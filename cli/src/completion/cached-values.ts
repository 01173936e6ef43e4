// Completions from the local results or the service. Tab never waits: cached values are offered and refreshed in the
// background.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@cowrie/sdk'
import { serviceName } from '../auth/credentials.ts'
import type { Completion, Context } from '../command.ts'
import { readResults } from '../results/store.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import type { Word } from './parse-line.ts'

export type Remote = 'channels' | 'threads' | 'research'
export const REMOTES: readonly Remote[] = ['channels', 'threads', 'research']

const FRESH_MS = 60_000
const WORDS_MAX = 50
const SUMMARY_CHARACTERS_MAX = 60
const BYTES_MAX = 64 * 1024
const RESULTS_SHOWN = 20

/** All values for this position. */
export async function valuesFor(
  context: Context,
  from: Exclude<Completion, readonly string[]>,
): Promise<Word[]> {
  if (from === 'results') return resultsOf(context)
  if (from === 'sessions') return sessionsOf(context)
  if (from === 'orgs') return orgsOf(context)
  return isRemote(from) ? readCache(context, from) : []
}

async function sessionsOf({ paths }: Context): Promise<Word[]> {
  if (paths.state === null) return []
  const { listSessions } = await import('../session/stored.ts')
  const { sessions } = await listSessions(paths, paths.repository?.root ?? paths.cwd)
  return sessions
    .slice(0, RESULTS_SHOWN)
    .map(({ taskId, title }) => ({ word: taskId, summary: title.slice(0, SUMMARY_CHARACTERS_MAX) }))
}

/** Refreshes the cache from the service. */
export async function refresh(context: Context, from: Remote): Promise<void> {
  const path = pathOf(context, from)
  if (!path) return
  const words = await LOADERS[from](context.client, context.signal)
  await writeAtomically(path, JSON.stringify({ at: context.machine.now().getTime(), words }))
}

export const isRemote = (from: string): from is Remote => (REMOTES as readonly string[]).includes(from)

function readCache(context: Context, from: Remote): Word[] {
  const path = pathOf(context, from)
  if (!path) return []
  const { at, words } = readWords(path)
  const isSaving = context.values['data-saver'] === true || context.config.dataSaver === true
  if (context.machine.now().getTime() - at > FRESH_MS && !isSaving)
    context.machine.startInBackground(['__complete', '--refresh', from, '--base-url', context.baseUrl])
  return words
}

function readWords(path: string): { at: number; words: Word[] } {
  try {
    const text = readFileSync(path, 'utf8')
    const read: unknown = text.length > BYTES_MAX ? null : JSON.parse(text)
    if (isStored(read)) return read
  } catch {
    // There is no cache yet, or the file is damaged: nothing is offered.
  }
  return { at: 0, words: [] }
}

function isStored(value: unknown): value is { at: number; words: Word[] } {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('words' in value)) return false
  return (
    typeof value.at === 'number' &&
    Array.isArray(value.words) &&
    value.words.every((each: unknown) => typeof each === 'object' && each !== null && 'word' in each)
  )
}

/** One cache file per service and key, because organisations differ. */
function pathOf({ paths, baseUrl, org, env }: Context, from: Remote): string | null {
  if (!paths.cache) return null
  const whose = createHash('sha256')
    .update(JSON.stringify([serviceName(baseUrl), org ?? null, env.COWRIE_API_KEY ?? null]))
    .digest('hex')
    .slice(0, 16)
  try {
    mkdirSync(paths.cache, { recursive: true, mode: 0o700 })
  } catch {
    return null
  }
  return join(paths.cache, `words-${from}-${whose}.json`)
}

const LOADERS: Readonly<
  Record<Remote, (client: Client, signal: AbortSignal | undefined) => Promise<Word[]>>
> = {
  async channels(client, signal) {
    const { channels } = await client.wallet.channels({ signal })
    return channels.map(({ channel, label }) => named(channel, label))
  },
  async threads(client, signal) {
    const { threads } = await client.chat.threads.list({ limit: WORDS_MAX }, { signal })
    return threads.map(({ id, title }) => named(id, title))
  },
  async research(client, signal) {
    const { runs } = await client.research.list({ limit: WORDS_MAX }, { signal })
    return runs.map(({ id, question }) => named(id, question))
  },
}

async function resultsOf({ paths }: Context): Promise<Word[]> {
  const results = await readResults(paths, RESULTS_SHOWN)
  return results.map((each) => named(each.id, each.state === 'damaged' ? 'damaged' : each.prompt))
}

async function orgsOf({ credentials, baseUrl }: Context): Promise<Word[]> {
  const kept = (await credentials?.read())?.services.get(serviceName(baseUrl))
  return [...(kept?.keys.values() ?? [])].map(({ orgId, orgName }) => named(orgId, orgName))
}

const named = (word: string, summary: string | null): Word => ({
  word,
  ...(summary ? { summary: summary.replace(/\s+/g, ' ').slice(0, SUMMARY_CHARACTERS_MAX) } : {}),
})
