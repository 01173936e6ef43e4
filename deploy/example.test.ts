// deploy/production.env.example lists every variable with its correct default.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Config, REQUIRED_IN_PRODUCTION, readConfig } from '../server/src/platform/config.ts'
import { exampleLines, exampleVariables } from './test/example.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const named = new Set(exampleLines.map(({ name }) => name))
const shownFor = (name: string) => exampleLines.find((line) => line.name === name)?.value

/** Some variables are read only if one of these is set. */
const CONDITIONS: Record<string, string> = { SERVICE_GITHUB_APP_ID: '1', SERVICE_SEARCH_PROVIDER: 'tavily' }

/** Every variable that `readConfig` reads. */
function readVariables(): Set<string> {
  const names = new Set<string>()
  const valid = {
    ...exampleVariables(),
    ...CONDITIONS,
    SERVICE_SEARCH_API_KEY: 'a',
    SERVICE_GITHUB_PRIVATE_KEY: 'b',
  }
  readConfig(
    new Proxy<Record<string, string>>(
      { ...valid, NODE_ENV: '', SERVICE_ENV: 'production', SERVICE_GITHUB_WEBHOOK_SECRET: 'long enough' },
      {
        get(variables, name) {
          if (typeof name === 'string') names.add(name)
          return typeof name === 'string' ? variables[name] : undefined
        },
      },
    ),
    '0.4.0',
  )
  return names
}

test('every variable of the configuration is in the example', () => {
  const variables = readVariables()
  expect(variables.size).toBeGreaterThan(40)
  expect([...variables].filter((name) => !named.has(name))).toEqual([])
})

test('every variable of a payment rail is in the example', () => {
  const rails = read('docs/reference/rails.md')
  const inRails = [...rails.matchAll(/`([A-Z]+_[A-Z_]+[A-Z])`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(SERVICE|TRUST)_/.test(name))
  expect(inRails.length).toBeGreaterThan(25)
  expect(inRails.filter((name) => !named.has(name))).toEqual([])
})

test('every setting is in the example with its default', () => {
  const settings = [
    ...read('docs/reference/settings.md').matchAll(/<br>`(SERVICE_\w+)` \| (?:`([^`]*)`|empty) \|/g),
  ]
  expect(settings.length).toBeGreaterThan(60)
  for (const [, name = '', value = ''] of settings) expect([name, shownFor(name)]).toEqual([name, value])
})

test('the example contains no unknown variable', () => {
  const known = new Set([
    ...readVariables(),
    ...[...read('docs/reference/settings.md').matchAll(/<br>`(SERVICE_\w+)`/g)].map(([, name = '']) => name),
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ])
  const isKey = (name: string) =>
    /^(PAYSTACK|FLUTTERWAVE|DARAJA|MOMO|OPAY|PALMPAY|OZOW|FAWRY|FIRS|ETIMS|EVAT|ETA)_/.test(name)
  expect([...named].filter((name) => !known.has(name) && !isKey(name))).toEqual([])
})

test('a default in the example is the real default', () => {
  const shown = Object.fromEntries(
    exampleLines.filter(({ isSet, value }) => !isSet && value !== '').map(({ name, value }) => [name, value]),
  )
  const { warnings: _, dataDir: __, ...bare } = readConfig(exampleVariables(), '0.4.0')
  const {
    warnings: ___,
    dataDir: ____,
    rails,
    einvoicing,
    ...full
  } = readConfig({ ...shown, ...exampleVariables() }, '0.4.0')
  const withoutKeys = { ...full, rails: {}, einvoicing: { country: null, variables: {} } }
  expect(withoutKeys satisfies Omit<Config, 'warnings' | 'dataDir'>).toEqual(bare)
  expect(Object.keys(einvoicing.variables).sort()).toEqual([
    ...['ETA_BASE_URL', 'ETA_BRANCH', 'ETA_ID_URL', 'ETA_ITEM_TYPE', 'ETA_PORTAL_URL'],
    ...['ETIMS_BASE_URL', 'ETIMS_PORTAL_URL', 'FIRS_CITY'],
  ])
  expect(Object.keys(rails)).toEqual(['PAYSTACK_USSD_TYPE', 'PAYSTACK_COUNTRY', 'OPAY_COUNTRY'])
})

test('with the values of an operator, the example is a valid production configuration', () => {
  const config = readConfig(exampleVariables(), '0.4.0')
  expect(config.environment).toBe('production')
  expect(config.warnings).toEqual([])
})

test('every variable that production requires is set in the example', () => {
  const chosen = exampleLines.filter(({ isSet }) => isSet).map(({ name }) => name)
  expect(chosen).toEqual(expect.arrayContaining([...Object.keys(REQUIRED_IN_PRODUCTION), 'DATABASE_URL']))
})

test('no secret has a value in the example', () => {
  const secrets = exampleLines.filter(({ name }) =>
    /SECRET|TOKEN(?!S)|_KEY|PASSKEY|HASH|DATABASE_URL|SMTP_URL/.test(name),
  )
  expect(secrets.length).toBeGreaterThan(20)
  expect(secrets.filter(({ value }) => value !== '')).toEqual([])
})
