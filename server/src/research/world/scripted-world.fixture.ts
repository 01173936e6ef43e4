// A research world whose model is a stand-in that answers as a test tells it, and an operator who can turn the settings.
import { expect } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import {
  type StandInReply,
  type StandInRequest,
  startUpstream,
  type UpstreamStandIn,
} from '../../platform/inference/upstream-stand-in.ts'
import { balances } from '../../wallet/wallet.ts'
import {
  type ModelScript,
  type ScriptedModel,
  scriptedModel,
  type Turn,
  turnOf,
} from '../asking/model-script.fixture.ts'
import { type ResearchWorld, startResearchWorld } from './world.fixture.ts'

/** What a turn meets instead of its answer, or while it waits for it; null for neither. */
export type Meeting = (turn: Turn | null, reply: StandInReply) => StandInReply | null

export type ScriptedWorld = ResearchWorld & {
  readonly upstream: UpstreamStandIn
  readonly operator: Person
  /** How the model answers from now on. */
  script(script?: ModelScript, meet?: Meeting): ScriptedModel
  /** The turns that were asked of the model, with the name of the model. */
  asked(): { turn: Turn | null; model: unknown }[]
  during<T>(settings: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T>
  /** What the ledger has charged an organisation for research, and what is still held of its wallet. */
  charged(of: Person): Promise<bigint>
  wallet(of: Person): ReturnType<typeof balances>
}

export async function startScriptedWorld(variables: Record<string, string> = {}): Promise<ScriptedWorld> {
  const upstream = await startUpstream()
  const world = await startResearchWorld({
    variables: {
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
      ...variables,
    },
  })
  const { server } = world
  const operator = await server.person({ staff: 'super_admin' })
  const setting = async (method: string, key: string, body?: object) => {
    const { status, text } = await server.call(method, `/admin/settings/${key}`, { as: operator, body })
    expect(status, text).toBe(200)
  }
  return {
    ...world,
    upstream,
    operator,
    script(script = {}, meet = () => null) {
      const model = scriptedModel(script)
      upstream.fallback((request) => {
        const reply = model.reply(request)
        return meet(turnIn(request), reply) ?? reply
      })
      return model
    },
    asked: () => upstream.requests.map((request) => ({ turn: turnIn(request), model: request.body.model })),
    async during(settings, work) {
      for (const [key, value] of Object.entries(settings)) await setting('PUT', key, { value })
      try {
        return await work()
      } finally {
        for (const key of Object.keys(settings)) await setting('DELETE', key)
      }
    },
    async charged({ orgId }) {
      const { sum } = await server.sql.one<{ sum: bigint }>`
        select coalesce(sum(charged_minor), 0)::bigint as sum from holds where org_id = ${orgId} and source = 'research'`
      return sum
    },
    wallet: ({ orgId }) => balances(server.app.db.direct, orgId),
    async close() {
      await world.close()
      await upstream.close()
    },
  }
}

// The stand-in has what our own side sent, and that is messages.
const turnIn = ({ body }: StandInRequest): Turn | null =>
  turnOf(body.messages as Parameters<typeof turnOf>[0])
