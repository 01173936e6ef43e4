// Request and reply shapes of the device login.
import { z } from 'zod'
import { SCOPES } from '../../platform/http/actor.ts'
import { line, text, timestamp } from '../../platform/http/shapes.ts'

const scopes = z.array(z.enum(SCOPES)).max(SCOPES.length)

export const StartDevice = z.object({
  clientName: line(100)
    .optional()
    .meta({ description: 'What asks, such as `Cowrie CLI on my-laptop`. The key will have this name.' }),
  scopes: scopes
    .default(['agent:run', 'wallet:read', 'metrics:read'])
    .meta({ description: 'What the key shall be able to do.' }),
})

export const DeviceStarted = z.object({
  deviceCode: z.string().meta({ description: 'The secret to ask for the key with. Show it to nobody.' }),
  userCode: z.string().meta({
    description: 'What the person compares or types: `XXXX-XXXX`.',
    examples: ['BCDF-GHJK'],
  }),
  verificationUrl: z.string().meta({ description: 'Where the person decides.' }),
  verificationUrlComplete: z.string().meta({ description: 'The same with the code filled in.' }),
  interval: z.int().meta({ description: 'Seconds to wait between two calls of `/auth/device/token`.' }),
  expiresIn: z.int().meta({ description: 'Seconds until `expiresAt`, for programs whose clock is wrong.' }),
  expiresAt: timestamp,
})

export const DeviceToken = z.object({ deviceCode: text(200) })

export const DeviceKey = z.object({
  key: z.string().meta({ description: 'The API key; shown this once.' }),
  id: z.string(),
  orgId: z.string(),
  userId: z.string(),
  scopes: z.array(z.enum(SCOPES)),
})

export const DeviceRequest = z.object({
  userCode: z.string(),
  clientName: z.string().nullable(),
  scopes: z.array(z.enum(SCOPES)),
  address: z.string().meta({ description: 'The network address that the request came from.' }),
  userAgent: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  status: z.enum(['pending', 'approved', 'denied', 'done']).meta({
    description: '`approved` until the program has collected its key, then `done`.',
  }),
})
