// The account route.
import { route } from '../platform/http/route.ts'
import { me } from './account.ts'
import { Me } from './schema.ts'

export const accountRoutes = [
  route('me.get', 'GET /me', {
    summary: 'Show your user, organisation, permissions and balance.',
    access: 'any',
    rate: 'global',
    reply: { 200: Me },
    handle: ({ app, actor }) => me(app, actor),
  }),
]
