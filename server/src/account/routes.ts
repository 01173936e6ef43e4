// The account route.
import { resealCookie } from '../identity/identity.ts'
import { route } from '../platform/http/route.ts'
import { me } from './account.ts'
import { Me } from './schema.ts'

export const accountRoutes = [
  route('me.get', 'GET /me', {
    summary: 'Show your user, organisation, permissions and balance.',
    access: 'any',
    rate: 'global',
    reply: { 200: Me },
    handle: ({ app, actor, request }) => {
      // The web app asks this at its start, so a session in use gets a new cookie after a rotation of the secret.
      if (actor.via === 'session') resealCookie(app, request)
      return me(app, actor)
    },
  }),
]
