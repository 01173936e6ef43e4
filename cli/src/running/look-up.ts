// What became of a result whose end is not known here, by looking only: nothing is begun by it and nothing costs.
import { type AgentRun, type AgentRunsListReply, CowrieError } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import type { Result } from '../results/result.ts'
import { readResults } from '../results/store.ts'
import { type Ended, ofStored } from './ended.ts'

type Listed = AgentRunsListReply['runs'][number]

const LISTED = 100
/** Of a long text, the list shows the beginning. */
const LISTED_CHARACTERS = 1_000
/** Clocks differ, and a request can be long on its way. */
const APART_MS = 15 * 60_000

/** Its end; `running` while it is under way; null when the service has nothing of the kind. */
export async function lookUp(context: Context, result: Result): Promise<Ended | 'running' | null> {
  const runId = result.runId ?? (await findRunId(context, result))
  if (runId === null) return null
  const run = await readRun(context, runId)
  return run && (ofStored(result, run) ?? 'running')
}

async function readRun({ client, signal }: Context, runId: string): Promise<AgentRun | null> {
  try {
    return await client.agent.runs.get(runId, { signal })
  } catch (error) {
    if (error instanceof CowrieError && error.status === 404) return null
    throw error
  }
}

/** The one run that was asked for in these words at that time, and that no other result here is. */
async function findRunId(context: Context, result: Result): Promise<string | null> {
  const { client, signal, places } = context
  const { runs } = await client.agent.runs.list({ kind: result.kind, limit: LISTED }, { signal })
  const others = new Set((await readResults(places)).map((each) => ('runId' in each ? each.runId : null)))
  const fitting = runs.filter((run) => !others.has(run.id) && fits(run, result))
  return fitting.length === 1 ? (fitting[0]?.id ?? null) : null
}

function fits({ prompt, createdAt }: Listed, result: Result): boolean {
  const isSame =
    prompt === result.prompt ||
    (prompt.length >= LISTED_CHARACTERS && result.prompt.startsWith(prompt.slice(0, LISTED_CHARACTERS - 1)))
  return isSame && Math.abs(Date.parse(createdAt) - Date.parse(result.createdAt)) <= APART_MS
}
