// The length of a compressed response reveals a correct guess of its content (BREACH), so replies with secrets are marked.
import { expect, test } from 'vitest'
import { modules } from '../../../modules.ts'
import { system } from '../../../system.ts'
import type { JsonSchema } from '../openapi/example.ts'
import { expandedOpenApi } from '../openapi/openapi.ts'

const SECRET_LIKE = /(key|secret|token|codes?|password|challenge|credential|otp|otpauthUrl|notifyUrl)s?$/i

/** Fields that only look like secrets: route and path of the field, with the reason. */
const NOT_SECRET: Record<string, string> = {
  'auth.device.get userCode': 'the caller sent it in the path',
  'push.subscriptions.list publicKey': 'browsers need it, and it is public by definition',
  'transparency.get publicKey': 'everybody verifies the log with it',
  'transparency.wallet publicKey': 'everybody verifies the log with it',
  'me.flags sources.*.key': 'the name of a feature',
  'admin.flags.list flags.*.key': 'the name of a feature',
  'admin.flags.set flag.key': 'the name of a feature',
  'orgs.flags.list sources.*.key': 'the name of a feature',
  'orgs.flags.set key': 'the name of a feature',
  'orgs.flags.clear key': 'the name of a feature',
  'admin.settings.list settings.*.key': 'the name of a setting',
  'admin.settings.list orphans.*.key': 'the name of a setting',
  'admin.settings.set setting.key': 'the name of a setting',
  'admin.settings.reset setting.key': 'the name of a setting',
  'admin.posture features.*.key': 'the name of a feature',
  'wallet.topup ussdCode': 'a number to dial, useless without the phone of the payer',
  'wallet.topupOtp ussdCode': 'a number to dial, useless without the phone of the payer',
  'gateway.geminiModels nextPageToken': 'the id of a model',
  'usage.requests requests.*.code': 'an error code',
  'agent.runs.list runs.*.code': 'an error code',
  'agent.runs.get code': 'an error code',
  'agent.runs.stop code': 'an error code',
  'chat.threads.read messages.*.errorCode': 'an error code',
  'chat.messages.send message.errorCode': 'an error code',
  'research.list runs.*.errorCode': 'an error code',
  'research.get errorCode': 'an error code',
  'research.cancel errorCode': 'an error code',
  'research.answer errorCode': 'an error code',
  'research.plan errorCode': 'an error code',
  'research.stream code': 'an error code',
  'research.stream run.errorCode': 'an error code',
  'tasks.create turns.*.errorCode': 'an error code',
  'tasks.get turns.*.errorCode': 'an error code',
  'tasks.patch turns.*.errorCode': 'an error code',
  'tasks.stop turns.*.errorCode': 'an error code',
  'tasks.approve turns.*.errorCode': 'an error code',
  'admin.registerRailUrls shortcode': 'the number of the paybill',
  'webhooks.paybillValidation ResultCode': 'a result code of M-Pesa',
  'webhooks.paybillConfirmation ResultCode': 'a result code of M-Pesa',
  'webhooks.paybillResult ResultCode': 'a result code of M-Pesa',
  'webhooks.paybillTimeout ResultCode': 'a result code of M-Pesa',
}

const tables = [system(() => ''), ...modules]
const routes = tables.flatMap((module) => module.routes ?? [])
const document = expandedOpenApi(
  tables.map(({ name, routes: described = [] }) => ({
    name,
    routes: described.map((route) => ({ ...route, hidden: false })),
  })),
  { version: '0', apiVersion: 2 },
) as {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>
      }
    >
  >
  components: { schemas: Record<string, JsonSchema> }
}

/** The paths of fields that could hold a secret: free text with a suspicious name. */
function secretFields(schema: JsonSchema, path: readonly string[], named: readonly string[] = []): string[] {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    if (named.includes(name)) return []
    return secretFields(document.components.schemas[name] ?? {}, path, [...named, name])
  }
  const own = SECRET_LIKE.test(path.findLast((part) => part !== '*') ?? '') && isFreeText(schema)
  const inner = [
    ...Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
      ([name, property]) => [property, [...path, name]] as const,
    ),
    ...[schema.items, schema.additionalProperties]
      .filter((item) => typeof item === 'object' && item !== null)
      .map((item) => [item as JsonSchema, [...path, '*']] as const),
    ...[schema.anyOf, schema.oneOf, schema.allOf]
      .flatMap((parts) => (parts ?? []) as JsonSchema[])
      .map((part) => [part, path] as const),
  ]
  return [
    ...(own ? [path.filter((part, index) => part !== '*' || index < path.length - 1).join('.')] : []),
    ...inner.flatMap(([part, where]) => secretFields(part, where, named)),
  ]
}

const isFreeText = ({ type, enum: options, const: only }: JsonSchema): boolean =>
  [type].flat().includes('string') && options === undefined && only === undefined

const found = Object.values(document.paths)
  .flatMap((operations) => Object.values(operations))
  .flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .flatMap(([, { content = {} }]) => Object.values(content))
      .flatMap(({ schema = {} }) => secretFields(schema, []))
      .map((field) => ({ route: operationId, field, name: `${operationId} ${field}` })),
  )
const marked = new Set(routes.filter(({ carriesSecret }) => carriesSecret).map(({ name }) => name))

test('every reply with a field that looks like a secret is marked, or the field is listed with a reason', () => {
  const open = found.filter(({ route, name }) => !marked.has(route) && !Object.hasOwn(NOT_SECRET, name))
  expect([...new Set(open.map(({ name }) => name))]).toEqual([])
})

test('every listed field exists in a reply of a route that is not marked', () => {
  const names = new Set(found.filter(({ route }) => !marked.has(route)).map(({ name }) => name))
  expect(Object.keys(NOT_SECRET).filter((name) => !names.has(name))).toEqual([])
})

test('keys, recovery codes, webhook secrets and mailed links are marked', () => {
  const known = [
    'keys.create',
    'auth.device.token',
    'auth.mfa.enroll',
    'auth.mfa.verify',
    'auth.mfa.recoveryCodes',
  ]
  const others = [
    'hooks.endpoints.create',
    'hooks.endpoints.rotateSecret',
    'admin.operators.invite',
    'dev.outbox',
  ]
  for (const name of [...known, ...others]) expect(marked, name).toContain(name)
})
