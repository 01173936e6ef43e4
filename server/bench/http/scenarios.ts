// The request scenarios: requests to the service, and equivalent requests to the bare server.

import type { BenchProcess } from '../processes.ts'
import { byKey, bySession, type Caller, get, once, post } from './requests.ts'
import {
  type Figures,
  type MeasurePlan,
  measure,
  type Ratio,
  ratioOf,
  type Server,
  type Side,
  typical,
} from './rounds.ts'

const TASK = { prompt: 'Add a function that formats an amount of kobo as naira.' }

export type Comparison = {
  what: string
  against: string
  /** The target ratio. Null if there is no target. */
  aim: number | null
  ours: Figures
  bare: Figures
  ratio: Ratio
}

type Pair = Pick<Comparison, 'what' | 'against' | 'aim'> & { ours: Side; bare: Side }
export type Scenario = { name: string; pairs: Pair[] }

export function scenarios(ours: Server, bare: Server, callers: Caller[]): Scenario[] {
  const health = [get('/health')]
  const echo = [post('/bench/echo')]
  const session = { server: ours, requests: callers.map((caller) => get('/me', bySession(caller))) }
  const key = { server: ours, requests: callers.map((caller) => get('/me', byKey(caller))) }
  const constant = { server: bare, requests: callers.map((caller) => get('/me', byKey(caller))) }
  const row = { server: bare, requests: callers.map((caller) => get('/me-row', byKey(caller))) }
  const run = callers.map((caller) => post('/agent/run', [...byKey(caller), ...once()], TASK))
  const spend = callers.map((caller) => post('/bench/spend', [...byKey(caller), ...once()]))
  return [
    {
      name: 'health',
      pairs: [
        {
          what: 'GET /health',
          against: 'same object',
          aim: 0.8,
          ours: { server: ours, requests: health },
          bare: { server: bare, requests: health },
        },
      ],
    },
    {
      name: 'echo',
      pairs: [
        {
          what: 'POST, 5 fields checked',
          against: 'ajv and serializer',
          aim: 0.8,
          ours: { server: ours, requests: echo },
          bare: { server: bare, requests: echo },
        },
      ],
    },
    {
      name: 'me',
      pairs: [
        { what: 'GET /me, session', against: 'one row by key', aim: 0.5, ours: session, bare: row },
        { what: 'GET /me, API key', against: 'one row by key', aim: 0.5, ours: key, bare: row },
        { what: 'GET /me, session', against: 'no database', aim: null, ours: session, bare: constant },
        { what: 'GET /me, API key', against: 'no database', aim: null, ours: key, bare: constant },
      ],
    },
    {
      name: 'spend',
      pairs: [
        {
          what: 'POST, idempotent, 1 row',
          against: 'begin, 2 inserts, commit',
          aim: null,
          ours: { server: ours, requests: spend },
          bare: { server: bare, requests: spend },
        },
      ],
    },
    {
      name: 'runs',
      pairs: [
        {
          what: 'POST /agent/run, mock model',
          against: 'begin, 2 inserts, commit',
          aim: null,
          ours: { server: ours, requests: run },
          bare: { server: bare, requests: spend },
        },
      ],
    },
  ]
}

/** Measures every side of a scenario once per round, even if it is part of several pairs. */
export async function compare(
  load: BenchProcess,
  { pairs }: Scenario,
  plan: MeasurePlan,
): Promise<Comparison[]> {
  const sides = [...new Set(pairs.flatMap(({ ours, bare }) => [ours, bare]))]
  const rounds = await measure(load, sides, plan)
  const of = (side: Side): Figures[] => rounds[sides.indexOf(side)] ?? []
  return pairs.map(({ what, against, aim, ours, bare }) => ({
    what,
    against,
    aim,
    ours: typical(of(ours)),
    bare: typical(of(bare)),
    ratio: ratioOf(of(ours), of(bare)),
  }))
}
