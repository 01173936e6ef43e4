// Routes for the rotation of the service secret.
import { z } from 'zod'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { route } from '../../platform/http/route.ts'
import { requestPass } from './reseal-job.ts'
import { findRotation } from './rotation-sql.ts'

/** Cookies of sessions that are in use are sealed again within this time; unused sessions end. Mails are sent or given up. */
const CARRIED: { readonly days: number } = { days: 7 }

const RotationState = z
  .object({
    hasPrevious: z.boolean().meta({ description: 'Whether this process has a previous secret.' }),
    begunAt: z.date().nullable().meta({
      description: 'Since when the secret is current. Null until the first pass over the stored data.',
    }),
    checkedAt: z.date().nullable().meta({ description: 'The end of the last complete pass.' }),
    resealed: z.bigint().meta({ description: 'Texts that were sealed again since the secret is current.' }),
    lastResealed: z.bigint().meta({ description: 'Of these, in the last complete pass.' }),
    unreadable: z
      .array(z.object({ name: z.string(), count: z.number(), ids: z.array(z.string()) }))
      .meta({ description: 'Texts that no secret opens, with the first 20 ids. They are left as they are.' }),
    removable: z.boolean().meta({ description: 'Whether the previous secret may be removed.' }),
    removableAt: z.date().nullable().meta({
      description:
        'When it may be removed at the earliest: seven days after the rotation, for what browsers and waiting mails carry.',
    }),
  })
  .meta({ id: 'SecretRotation' })

export const rotationRoutes = [
  route('admin.secrets.get', 'GET /admin/secrets', {
    summary: 'Show the rotation of the service secret.',
    detail:
      'After a rotation, a job seals all stored data again: hourly while `SERVICE_SECRET_PREVIOUS` is set. The previous secret may be removed when a pass found nothing left to do, everything could be read and seven days have passed.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: RotationState },
    handle: ({ app }) => readRotation(app),
  }),

  route('admin.secrets.reseal', 'POST /admin/secrets/reseal', {
    summary: 'Seal the stored data again now instead of within the hour.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    reply: { 202: RotationState },
    async handle({ app }) {
      await requestPass(app)
      return readRotation(app)
    },
  }),
]

async function readRotation(app: App): Promise<z.infer<typeof RotationState>> {
  const known = await findRotation(app.db.direct, app.secrets.keyId)
  const found = known?.isLatest ? known : undefined
  const hasPrevious = app.config.previousSecret !== null
  const removableAt = found ? after(found.begunAt, CARRIED) : null
  return {
    hasPrevious,
    begunAt: found?.begunAt ?? null,
    checkedAt: found?.checkedAt ?? null,
    resealed: found?.resealed ?? 0n,
    lastResealed: found?.lastResealed ?? 0n,
    unreadable: found?.unreadable.map((each) => ({ ...each, ids: [...each.ids] })) ?? [],
    removable:
      hasPrevious &&
      found?.checkedAt != null &&
      removableAt !== null &&
      found.checkedAt >= removableAt &&
      found.lastResealed === 0n &&
      found.unreadable.length === 0,
    removableAt,
  }
}
