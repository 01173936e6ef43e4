// A research world with a scripted model, and an operator who can change settings.

import type { ResearchRunId } from '@cowrie/server/src/research/types.ts'
import { readBalances } from '@cowrie/server/src/wallet/wallet.ts'
import { expect } from 'vitest'
import {
  type FakeReply,
  type FakeRequest,
  type FakeUpstream,
  startFakeUpstream,
} from '../fakes/models/fake-upstream.ts'
import type { Person } from '../harness/harness.ts'
import {
  type ModelScript,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModel,
  turnOf,
} from './model-script.ts'
import { type ResearchWorld, type RunDetail, startResearchWorld } from './world.ts'

/** Replaces or delays the reply of a turn; null to leave it. */
export type TurnInterceptor = (turn: ScriptedTurn | null, reply: FakeReply) => FakeReply | null

export type ScriptedWorld = ResearchWorld & {
  readonly upstream: FakeUpstream
  readonly operator: Person
  /** Sets the answers of the model. */
  script(script?: ModelScript, meet?: TurnInterceptor): ScriptedModel
  /** The turns that the model received, with the model name. */
  modelTurns(): { turn: ScriptedTurn | null; model: unknown }[]
  during<T>(settings: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T>
  /** The amount that the ledger charged an organisation for research. */
  charged(of: Person): Promise<bigint>
  wallet(of: Person): ReturnType<typeof readBalances>
  /**
   * Resets the outside world: everything answers, the pages of two publishers are found, and the request lists are
   * empty.
   */
  renew(): void
  warnings(of: Person, id: ResearchRunId): Promise<string[]>
  /** Nothing is held, and the wallet has paid what the run reports as its cost. */
  requireSettled(of: Person, run: RunDetail, givenMinor: bigint): Promise<void>
}

export async function startScriptedWorld(variables: Record<string, string> = {}): Promise<ScriptedWorld> {
  const upstream = await startFakeUpstream()
  const world = await startResearchWorld({
    variables: {
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
      // Tests move the clock during a run, which must not expire its lease.
      SERVICE_RUNS_LEASE_SECONDS: '3600',
      ...variables,
    },
  })
  const { server } = world
  const operator = await server.person({ staff: 'super_admin' })
  const setting = async (method: string, key: string, body?: object) => {
    const { status, text } = await server.call(method, `/admin/settings/${key}`, { as: operator, body })
    expect(status, text).toBe(200)
  }
  const script: ScriptedWorld['script'] = (wanted = {}, meet = () => null) => {
    const model = scriptedModel(wanted)
    upstream.fallback((request) => {
      const reply = model.reply(request)
      return meet(turnIn(request), reply) ?? reply
    })
    return model
  }
  const charged: ScriptedWorld['charged'] = async ({ orgId }) => {
    const { sum } = await server.sql.one<{ sum: bigint }>`
      select coalesce(sum(charged_minor), 0)::bigint as sum from holds where org_id = ${orgId} and source = 'research'`
    return sum
  }
  const wallet: ScriptedWorld['wallet'] = ({ orgId }) => readBalances(server.app.db.direct, orgId)
  return {
    ...world,
    upstream,
    operator,
    script,
    charged,
    wallet,
    renew() {
      upstream.reset()
      const shown = world.web.pages.filter(({ path }) => /^\/(harbour|coast)/.test(path))
      world.web.show(shown.map(({ path }) => path))
      world.web.search.reset()
      world.web.wait()
      script()
    },
    async warnings(of, id) {
      const events = await world.events(of, id)
      return events.flatMap((event) => (event.kind === 'warning' ? [event.code] : []))
    },
    async requireSettled(of, run, givenMinor) {
      expect(await charged(of)).toBe(run.spentMinor)
      const balanceMinor = givenMinor - run.spentMinor + run.refundedMinor
      expect(await wallet(of)).toMatchObject({ heldMinor: 0n, balanceMinor })
    },
    // Without the probes of the provider, which are GET requests.
    modelTurns: () =>
      upstream.requests
        .filter(({ method }) => method === 'POST')
        .map((request) => ({ turn: turnIn(request), model: request.body.model })),
    async during(settings, work) {
      for (const [key, value] of Object.entries(settings)) await setting('PUT', key, { value })
      try {
        return await work()
      } finally {
        for (const key of Object.keys(settings)) await setting('DELETE', key)
      }
    },
    async close() {
      await world.close()
      await upstream.close()
    },
  }
}

// The service sends messages in this form.
const turnIn = ({ body }: FakeRequest): ScriptedTurn | null =>
  turnOf(body.messages as Parameters<typeof turnOf>[0])
