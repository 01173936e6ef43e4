// The endpoint that says why.
import { route } from '../platform/http/route.ts'
import { explainEntry } from './explain/explain.ts'
import { EntryExplanation, EntryParams } from './explain/explain-schema.ts'

export const explainRoutes = [
  route('wallet.explain', 'GET /wallet/ledger/{id}', {
    summary: 'Say why an entry of your ledger is what it is.',
    detail:
      'For work: what was promised when the money was reserved, what was used, and the calculation from one to the other, done anew for this answer. For money that came in or went back: where it came from.',
    access: 'any',
    rate: 'global',
    params: EntryParams,
    reply: { 200: EntryExplanation },
    handle: ({ app, actor, params }) => explainEntry(app, actor.orgId, params.id),
  }),
]
