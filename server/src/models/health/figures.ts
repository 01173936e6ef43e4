// Figures of the health of model providers.
import { type Figure, type FigureSource, inSeconds } from '../../platform/log/figures.ts'
import { DEFAULT_PROVIDER_ID } from '../catalogue/catalogue.ts'
import { BUILT_IN_NAME } from '../upstream.ts'

const STATES = ['healthy', 'degraded', 'down'] as const
const LAST_SUCCESS = 'model_provider_last_success_timestamp_seconds'

export const providerFigures: FigureSource = {
  name: 'models',
  metrics: {
    model_provider_state:
      '1 for the state of each enabled provider with a known state, 0 for its other states.',
    [LAST_SUCCESS]:
      'The last success of each provider: of a probe or a call while it works, else of a call by a customer.',
  },
  async read(tx) {
    const known = await tx.rows<{ provider: string; status: string; lastSuccessAt: Date | null }>`
      select coalesce(p.name, ${BUILT_IN_NAME}) as provider, h.status,
             case when h.status = 'healthy' then h.updated_at else h.last_used_at end as "lastSuccessAt"
      from provider_health h left join providers p on p.id = h.provider_id
      where p.enabled or h.provider_id = ${DEFAULT_PROVIDER_ID} order by h.provider_id`
    const states = known.flatMap(({ provider, status }) =>
      STATES.map((state): Figure => ['model_provider_state', state === status ? 1 : 0, { provider, state }]),
    )
    const successes = known.flatMap(({ provider, lastSuccessAt }): Figure[] =>
      lastSuccessAt === null ? [] : [[LAST_SUCCESS, inSeconds(lastSuccessAt), { provider }]],
    )
    return [...states, ...successes]
  },
}
