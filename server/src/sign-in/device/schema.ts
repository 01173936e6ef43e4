// Request and reply schemas of the device login.
import { z } from 'zod'
import { SCOPES } from '../../platform/http/actor.ts'
import { line, text, timestamp } from '../../platform/http/shapes.ts'

const scopes = z.array(z.enum(SCOPES)).max(SCOPES.length)

export const StartDevice = z.object({
  clientName: line(100)
    .optional()
    .meta({ description: 'Name of the program, such as `Cowrie CLI on my-laptop`. The key gets this name.' }),
  scopes: scopes
    .default(['agent:run', 'wallet:read', 'metrics:read'])
    .meta({ description: 'Scopes of the key.' }),
})

export const DeviceStarted = z.object({
  deviceCode: z.string().meta({ description: 'The secret that collects the key. Do not show it.' }),
  userCode: z.string().meta({
    description: 'The code that the user compares or types: `XXXX-XXXX`.',
    examples: ['BCDF-GHJK'],
  }),
  verificationUrl: z.string().meta({ description: 'The page where the user decides.' }),
  verificationUrlComplete: z.string().meta({ description: 'The same page with the code filled in.' }),
  interval: z.int().meta({ description: 'Seconds between two calls of `/auth/device/token`.' }),
  expiresIn: z.int().meta({ description: 'Seconds until `expiresAt`, for programs whose clock is wrong.' }),
  expiresAt: timestamp,
})

export const DeviceToken = z.object({ deviceCode: text(200) })

export const DeviceKey = z.object({
  key: z.string().meta({ description: 'The API key. It is shown only once.' }),
  id: z.string(),
  orgId: z.string(),
  userId: z.string(),
  scopes: z.array(z.enum(SCOPES)),
})

export const DeviceRequest = z.object({
  userCode: z.string(),
  clientName: z.string().nullable(),
  scopes: z.array(z.enum(SCOPES)),
  address: z.string().meta({ description: 'The IP address of the program.' }),
  userAgent: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  status: z.enum(['pending', 'approved', 'denied', 'done']).meta({
    description: '`approved` until the program has collected its key, then `done`.',
  }),
})
