// How this deployment stands: the endpoint.
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { readPosture } from './posture.ts'

const Posture = z.object({
  features: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      env: z.string().meta({ description: 'The variables that decide it, by name.' }),
      live: z.boolean().meta({ description: 'Whether it works for customers of this deployment.' }),
      detail: z.string().meta({ description: 'What follows from it. Never what a variable is set to.' }),
    }),
  ),
})

export const postureRoutes = [
  route('admin.posture', 'GET /admin/posture', {
    summary: 'Which features this deployment has switched on.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: Posture },
    handle: ({ app }) => readPosture(app),
  }),
]
