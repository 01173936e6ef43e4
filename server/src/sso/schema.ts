// Request and reply schemas of single sign-on.
import { z } from 'zod'
import { email, text, timestamp } from '../platform/http/shapes.ts'

const address = text(2_000).meta({ examples: ['https://id.example.com'] })
const certificate = text(50_000).meta({
  description: 'X.509 certificates in PEM, or one in plain base64. Any of them may sign.',
})
const clientSecret = text(1_000).nullable().meta({
  description: 'Write-only. Null for a public client.',
})

const oidcFields = { issuer: address, clientId: text(500), clientSecret: clientSecret.optional() }
const samlFields = { entityId: text(1_024), ssoUrl: address, certificate }
const enabled = z.boolean()

const perhapsOidc = z.object(oidcFields).partial().shape
const perhapsSaml = z.object(samlFields).partial().shape

/** Fields of the other type are declared so that the handler can reject them by name. */
export const NewConnection = z.discriminatedUnion('type', [
  z.object({ ...perhapsSaml, type: z.literal('oidc'), enabled: enabled.default(true), ...oidcFields }),
  z.object({ ...perhapsOidc, type: z.literal('saml'), enabled: enabled.default(true), ...samlFields }),
])

/** Missing fields keep their value. The type cannot change. */
export const ConnectionChange = z
  .object({ enabled: enabled.optional(), ...perhapsOidc, ...perhapsSaml })
  .meta({ examples: [{ enabled: false }] })

export const ConnectionReply = z.object({
  connection: z
    .object({
      id: z.string(),
      type: z.enum(['oidc', 'saml']),
      enabled: z.boolean(),
      issuer: z.string().nullable(),
      clientId: z.string().nullable(),
      hasClientSecret: z.boolean(),
      entityId: z.string().nullable(),
      ssoUrl: z.string().nullable(),
      certificate: z.string().nullable(),
      redirectUri: z.string().meta({ description: 'The redirect URL to register at the provider.' }),
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    .meta({ id: 'SsoConnection' })
    .nullable(),
})

export const DomainBody = z.object({ domain: text(300).meta({ examples: ['example.com'] }) })

export const Domain = z
  .object({
    domain: z.string(),
    verified: z.boolean(),
    txtRecord: z.string().meta({ examples: ['cowrie-verification=…'] }),
    txtNames: z.array(z.string()).meta({ description: 'DNS names to publish the record at. One is enough.' }),
    foundAt: z.string().nullable().meta({ description: 'The DNS name where this call found the record.' }),
    problem: z.enum(['record_missing', 'dns_unreachable']).nullable(),
    createdAt: timestamp,
    verifiedAt: timestamp.nullable(),
  })
  .meta({ id: 'SsoDomain' })

export const DomainList = z.object({ domains: z.array(Domain) })

export const InitiateQuery = z.object({
  email: email.optional(),
  orgId: z.string().max(100).optional(),
  next: z.string().max(2_000).optional(),
})

/** Parameters that are not listed here are ignored. */
export const CallbackQuery = z.object({
  code: z.string().max(4_096).optional(),
  state: z.string().max(1_000).optional(),
  iss: z.string().max(2_000).optional(),
  error: z.string().max(500).optional(),
  error_description: z.string().max(4_096).optional(),
})

export type NewConnection = z.output<typeof NewConnection>
export type ConnectionChange = z.output<typeof ConnectionChange>
export type InitiateQuery = z.output<typeof InitiateQuery>
export type CallbackQuery = z.output<typeof CallbackQuery>
