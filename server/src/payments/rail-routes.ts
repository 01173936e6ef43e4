// How the rails stand, for those who set them up.
import { z } from 'zod'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { route } from '../platform/http/route.ts'
import { channels } from './channels.ts'
import { notifyUrl } from './rail-token.ts'
import { openRail, providers } from './rails.ts'

const Rails = z.object({
  rails: z.array(
    z.object({
      rail: z.string(),
      channels: z.array(z.string()),
      keys: z
        .enum(['live', 'test', 'none'])
        .meta({ description: 'Which keys it has; without any it is a mock.' }),
      needs: z.array(z.string()).meta({ description: 'The variables that make it live.' }),
      notifyUrl: z.string().nullable().meta({
        description:
          'Where its provider posts to. The last part is a secret: null for those who do not set rails up.',
      }),
    }),
  ),
})

export const railRoutes = [
  route('admin.rails', 'GET /admin/rails', {
    summary: 'Every payment rail: whether it has keys, and the address to enter at its provider.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: Rails },
    handle: ({ app, actor }) => ({ rails: railsOf(app, actor) }),
  }),
]

const SET_UP_RAILS: ReadonlySet<string | null> = new Set(['operator', 'super_admin'])

const railsOf = (app: App, { staffRole }: Actor) =>
  providers.map(({ name, needs }) => ({
    rail: name,
    channels: channels.filter(({ rail }) => rail === name).map((channel) => channel.name),
    keys: openRail(app, name)?.keys ?? ('none' as const),
    needs: [...needs],
    notifyUrl: SET_UP_RAILS.has(staffRole) ? notifyUrl(app, name) : null,
  }))
