// Request and reply schemas of identity.
import { z } from 'zod'
import { email } from '../platform/http/shapes.ts'

export const DevLogin = z.object({ email })

export const AuthConfig = z.object({
  mode: z.enum(['native', 'dev', 'none']),
  methods: z.array(z.enum(['password', 'magic_link', 'totp', 'oidc', 'saml', 'github', 'dev'])),
  signupsEnabled: z.boolean(),
  passwordMinLength: z.literal(8),
  appearance: z.object({ skin: z.string(), mode: z.string(), layout: z.string() }),
})
