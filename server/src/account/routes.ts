// The account's endpoint.
import { route } from '../platform/http/route.ts'
import { me } from './account.ts'
import { Me } from './schema.ts'

export const accountRoutes = [
  route('me.get', 'GET /me', {
    summary: 'Show who you are, in which organisation, what you may do and what you have.',
    access: 'any',
    rate: 'global',
    reply: { 200: Me },
    handle: ({ app, actor }) => me(app, actor),
  }),
]
