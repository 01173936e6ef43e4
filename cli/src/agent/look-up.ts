// Looks up the outcome of a stored result. Read-only and free.
import { type AgentRun, type AgentRunsListReply, CowrieError } from '@cowrie/sdk'
import { withoutFormat } from '../apply/files/text-format.ts'
import { sha256 } from '../apply/plan.ts'
import type { Context } from '../command.ts'
import type { Result } from '../results/result.ts'
import { readResults } from '../results/store.ts'
import { outcomeOfListed, type RunOutcome } from './outcome.ts'

type ListedRun = AgentRunsListReply['runs'][number]

const RUNS_LISTED = 100
/** The list shows only the start of a long text. */
const LISTED_CHARACTERS = 1_000
/** Tolerates clock differences and slow requests. */
const TIME_DIFFERENCE_MAX_MS = 15 * 60_000

/** The outcome; `running` while it is in progress; null when the service has no such run. */
export async function lookUp(context: Context, result: Result): Promise<RunOutcome | 'running' | null> {
  const runId = result.runId ?? (await findRunId(context, result))
  if (runId === null) return null
  const run = await readRun(context, runId)
  if (!run || (result.runId === null && !isMadeFrom(run, result))) return null
  return outcomeOfListed(result, run) ?? 'running'
}

async function readRun({ client, signal }: Context, runId: string): Promise<AgentRun | null> {
  try {
    return await client.agent.runs.get(runId, { signal })
  } catch (error) {
    if (error instanceof CowrieError && error.status === 404) return null
    throw error
  }
}

/** The only run with this prompt at that time that belongs to no other result here. */
async function findRunId(context: Context, result: Result): Promise<string | null> {
  const { client, signal, paths } = context
  const { runs } = await client.agent.runs.list({ kind: result.kind, limit: RUNS_LISTED }, { signal })
  const others = new Set((await readResults(paths)).map((each) => ('runId' in each ? each.runId : null)))
  const matching = runs.filter((run) => !others.has(run.id) && matches(run, result))
  return matching.length === 1 ? (matching[0]?.id ?? null) : null
}

/** Whether the run's files can be those sent from here; another repository may have sent the same prompt. */
function isMadeFrom({ result }: AgentRun, { sent }: Result): boolean {
  const texts = new Map(sent.map(({ path, content }) => [path, content]))
  const { included = [], omitted = [] } = result?.context ?? {}
  const isSent = [...included, ...omitted.map(({ path }) => path)].every((path) => texts.has(path))
  return (
    isSent &&
    (result?.edits ?? []).every(({ path, baseSha256 }) => {
      const text = texts.get(path)
      if (baseSha256 === null) return true
      return text !== undefined && [text, withoutFormat(text)].some((read) => sha256(read) === baseSha256)
    })
  )
}

function matches({ userId, prompt, createdAt }: ListedRun, result: Result): boolean {
  if (userId !== result.payer.userId) return false
  const isSame =
    prompt === result.prompt ||
    (prompt.length >= LISTED_CHARACTERS && result.prompt.startsWith(prompt.slice(0, LISTED_CHARACTERS - 1)))
  return isSame && Math.abs(Date.parse(createdAt) - Date.parse(result.createdAt)) <= TIME_DIFFERENCE_MAX_MS
}
