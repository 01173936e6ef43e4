// Request and reply schemas of providers and models.
import { z } from 'zod'
import { line, minorOut, timestamp } from '../platform/http/shapes.ts'

const WEIGHT_MAX = 1_000
const PRIORITY_MAX = 1_000
const TOKENS_MAX = 10_000_000
const PRICE_MAX = 1_000_000_000
const KEY_CHARACTERS_MAX = 4_096
const URL_CHARACTERS_MAX = 2_000
export const ROUTES_MAX = 20
export const ALIASES_MAX = 50

export const LANES = ['open', 'frontier'] as const
const CAPABILITIES = ['tools', 'images', 'reasoning', 'cache'] as const
const WIRES = ['openai', 'anthropic', 'gemini'] as const

const wholeNumber = (min: number, max: number) => z.int().min(min).max(max)

const wire = z.enum(WIRES).meta({ description: 'The request format of the provider.' })
const BASE_URL =
  'For `openai` including the version, such as https://api.openai.com/v1. For `anthropic` and `gemini` the origin, such as https://api.anthropic.com: /v1/messages or /v1beta/models/… is added.'
const baseUrl = z.string().min(1).max(URL_CHARACTERS_MAX).meta({ description: BASE_URL })
const apiKey = z
  .string()
  .max(KEY_CHARACTERS_MAX)
  .regex(/^[\x21-\x7e]*$/, { error: 'must be visible ASCII characters' })
  .nullable()
  .meta({
    description: 'Stored encrypted, sent only to the provider and never returned. Empty or null: no key.',
  })
const region = z
  .string()
  .regex(/^[A-Za-z0-9-]{2,40}$/, { error: 'must be 2 to 40 letters, digits and hyphens, or null' })
  .nullable()
  .meta({
    description: 'Organisations with a residency region use only models of providers in that region.',
  })
const weight = wholeNumber(0, WEIGHT_MAX)
const PROVIDER_WEIGHT =
  'Multiplied with the weight of each route. 0: the provider is used only where no other route is left.'

export const NewProvider = z
  .object({
    name: line(60).meta({ description: 'Unique.' }),
    wire,
    baseUrl,
    apiKey: apiKey.default(null),
    region: region.default(null),
    weight: weight.default(100).meta({ description: PROVIDER_WEIGHT }),
    enabled: z.boolean().default(true),
  })
  .meta({
    examples: [
      {
        name: 'anthropic',
        wire: 'anthropic',
        baseUrl: 'https://api.anthropic.com',
        apiKey: 'a-key-of-yours',
      },
    ],
  })
export type NewProvider = z.output<typeof NewProvider>

export const ProviderChange = z.object({
  name: line(60).optional(),
  wire: wire.optional(),
  baseUrl: baseUrl.optional().meta({
    description: `${BASE_URL} Another host without a new key clears the key.`,
  }),
  apiKey: apiKey.optional(),
  region: region.optional(),
  weight: weight.optional().meta({ description: PROVIDER_WEIGHT }),
  enabled: z.boolean().optional(),
})
export type ProviderChange = z.output<typeof ProviderChange>

const health = z.object({
  status: z.enum(['healthy', 'degraded', 'down', 'unknown', 'disabled']).meta({
    description:
      '`down` after three failures in a row, or when the provider rejects our key. `unknown` until the first call or probe.',
  }),
  since: timestamp.nullable().meta({ description: 'When the status last changed.' }),
  lastError: z.string().optional().meta({ description: 'While the provider is degraded or down.' }),
})

export const Provider = z
  .object({
    id: z.string().meta({ examples: ['prv_01kb2m9x3f7qy8r5t6v0w1a2cd'] }),
    name: z.string(),
    wire,
    baseUrl: z.string().meta({ description: 'Empty for the built-in provider while its setting is empty.' }),
    region: z.string().nullable(),
    weight: z.int(),
    enabled: z.boolean(),
    builtIn: z.boolean().meta({
      description: 'The provider of the settings `upstream_base_url` and `upstream_api_key`.',
    }),
    keyLast4: z.string().nullable().meta({ description: 'Null without a key.' }),
    health,
  })
  .meta({ id: 'Provider' })
export type Provider = z.input<typeof Provider>

export const ProviderList = z.object({ providers: z.array(Provider) })

const routeFields = {
  providerId: z
    .string()
    .min(1)
    .max(64)
    .meta({ examples: ['prv_default'] }),
  upstreamModel: line(200).meta({ description: 'The name of the model at the provider.' }),
}
const RouteInput = z.object({
  ...routeFields,
  priority: wholeNumber(0, PRIORITY_MAX)
    .default(0)
    .meta({ description: 'Routes with a lower number are tried first.' }),
  weight: weight.default(100).meta({
    description: 'The share among routes of the same priority. 0: used only where no other route is left.',
  }),
})
const Route = z.object({ ...routeFields, priority: z.int(), weight: z.int() })

const price = () =>
  wholeNumber(0, PRICE_MAX)
    .transform((kobo) => BigInt(kobo))
    .meta({ wire: { type: 'integer', minimum: 0, maximum: PRICE_MAX } })
const PriceInput = z.object({
  input: price(),
  output: price(),
  cachedInput: price().optional().meta({ description: 'Default: the price of input.' }),
  cacheWrite: price().optional().meta({ description: 'Default: the price of input.' }),
})
export type PriceInput = z.output<typeof PriceInput>

const capability = z.enum(CAPABILITIES)
const tokens = wholeNumber(1, TOKENS_MAX)

export const ModelBody = z
  .object({
    title: line(100).optional().meta({ description: 'Default: the id.' }),
    lane: z.enum(LANES).optional().meta({ description: 'Required. Policies allow or deny lanes.' }),
    routes: z.array(RouteInput).max(ROUTES_MAX).meta({
      description: 'At least one. The lanes `open` and `frontier` take further routes here and nothing else.',
    }),
    contextTokens: tokens.optional().meta({ description: 'Required.' }),
    outputTokens: tokens
      .optional()
      .meta({ description: 'Required: the longest answer. At most `contextTokens`.' }),
    capabilities: z.array(capability).max(CAPABILITIES.length).optional(),
    price: PriceInput.optional().meta({
      description: 'Required. Kobo per million tokens of each class. A change adds a version.',
    }),
    aliases: z.array(z.string().min(1).max(100)).max(ALIASES_MAX).optional().meta({
      description: 'Other names of the model. One that ends in `*` matches every name with its beginning.',
    }),
    enabled: z.boolean().optional().meta({ description: 'Default: true.' }),
  })
  .meta({
    examples: [
      {
        title: 'Claude Sonnet',
        lane: 'frontier',
        routes: [{ providerId: 'prv_default', upstreamModel: 'claude-sonnet' }],
        contextTokens: 200_000,
        outputTokens: 64_000,
        capabilities: ['tools', 'cache'],
        price: { input: 480_000, output: 2_400_000, cachedInput: 48_000, cacheWrite: 600_000 },
        aliases: ['claude-sonnet-*'],
      },
    ],
  })
export type ModelBody = z.output<typeof ModelBody>

export const Model = z
  .object({
    id: z.string(),
    title: z.string(),
    lane: z.enum(LANES),
    routes: z.array(Route),
    contextTokens: z.int(),
    outputTokens: z.int(),
    capabilities: z.array(capability),
    price: z
      .object({ input: minorOut, output: minorOut, cachedInput: minorOut, cacheWrite: minorOut })
      .meta({ description: 'Kobo per million tokens of each class.' }),
    priceVersion: z.int(),
    priceSince: timestamp,
    aliases: z.array(z.string()),
    enabled: z.boolean(),
  })
  .meta({ id: 'CatalogueModel' })
export type Model = z.input<typeof Model>

export const LaneRoutes = z
  .object({
    id: z.enum(LANES),
    routes: z.array(Route).meta({ description: 'Tried after the route of the settings.' }),
  })
  .meta({ id: 'LaneRoutes' })
export type LaneRoutes = z.input<typeof LaneRoutes>

export const ModelList = z.object({ models: z.array(Model), lanes: z.array(LaneRoutes) })
export const SavedModel = z.union([Model, LaneRoutes])
