// The deployment posture route.
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { readPosture } from './posture.ts'

const Posture = z.object({
  features: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      env: z.string().meta({ description: 'Names of the environment variables that control it.' }),
      live: z.boolean().meta({ description: 'Whether it works for customers of this deployment.' }),
      detail: z.string().meta({ description: 'The effect. Never the value of a variable.' }),
    }),
  ),
})

export const postureRoutes = [
  route('admin.posture', 'GET /admin/posture', {
    summary: 'List the features of this deployment and their state.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: Posture },
    handle: ({ app }) => readPosture(app),
  }),
]
