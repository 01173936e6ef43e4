// A service with providers of every format, and models of the catalogue that route to them.
import { type FakeAnthropic, startFakeAnthropic } from '../fakes/models/fake-anthropic.ts'
import { type FakeGemini, startFakeGemini } from '../fakes/models/fake-gemini.ts'
import { type FakeUpstream, startFakeUpstream } from '../fakes/models/fake-upstream.ts'
import type { Person } from '../harness/harness.ts'
import { type OpenAiApi, startOpenAiApi } from './openai-api.ts'

/** Kobo per million tokens. Each class has its own price, so that a wrong class shows in the charge. */
export const CLASS_PRICES = {
  input: 1_000_000,
  output: 5_000_000,
  cachedInput: 100_000,
  cacheWrite: 1_250_000,
}

export type ModelProviders = OpenAiApi & {
  readonly openai: FakeUpstream
  readonly anthropic: FakeAnthropic
  readonly gemini: FakeGemini
  /** Creates or replaces a model that routes to these providers, in this order of priority. */
  putModel(id: string, providers: readonly ProviderName[], rest?: object): Promise<void>
  readonly providerIds: Readonly<Record<ProviderName, string>>
  readonly operator: Person
}
export type ProviderName = 'openai' | 'anthropic' | 'gemini'

export async function startModelProviders(variables: Record<string, string> = {}): Promise<ModelProviders> {
  const [api, openai, anthropic, gemini] = await Promise.all([
    startOpenAiApi(variables),
    startFakeUpstream(),
    startFakeAnthropic(),
    startFakeGemini(),
  ])
  const operator = await api.server.person({ staff: 'super_admin' })
  const origin = (url: string) => new URL(url).origin
  const addProvider = async (wire: ProviderName, baseUrl: string): Promise<string> => {
    const body = { name: wire, wire, baseUrl, apiKey: `key-of-${wire}-for-tests` }
    const { body: reply } = await api.server.call<{ id: string }>('POST', '/admin/providers', {
      as: operator,
      body,
    })
    return reply.id
  }
  const providerIds = {
    openai: await addProvider('openai', openai.url),
    anthropic: await addProvider('anthropic', origin(anthropic.url)),
    gemini: await addProvider('gemini', origin(gemini.url)),
  }
  return {
    ...api,
    openai,
    anthropic,
    gemini,
    providerIds,
    operator,
    async putModel(id, providers, rest = {}) {
      const routes = providers.map((name, priority) => ({
        providerId: providerIds[name],
        upstreamModel: `${id}-at-${name}`,
        priority,
        weight: 100,
      }))
      const { status, text } = await api.server.call('PUT', `/admin/models/${id}`, {
        as: operator,
        body: {
          title: id,
          lane: 'open',
          routes,
          contextTokens: 200_000,
          outputTokens: 32_000,
          capabilities: ['tools'],
          price: CLASS_PRICES,
          aliases: [],
          enabled: true,
          ...rest,
        },
      })
      if (status !== 200) throw new Error(`the model was not stored: ${text}`)
    },
    async close() {
      await Promise.all([api.close(), openai.close(), anthropic.close(), gemini.close()])
    },
  }
}
