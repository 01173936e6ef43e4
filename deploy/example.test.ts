// deploy/production.env.example names every variable, and what it says of them is so.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Config, REQUIRED_IN_PRODUCTION, readConfig } from '../server/src/platform/config.ts'
import { exampleLines, exampleVariables } from './test/example.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const named = new Set(exampleLines.map(({ name }) => name))
const shownFor = (name: string) => exampleLines.find((line) => line.name === name)?.value

/** Some are asked for only where another is set. */
const LEADING: Record<string, string> = { SERVICE_GITHUB_APP_ID: '1', SERVICE_SEARCH_PROVIDER: 'tavily' }

/** Every variable that reading the configuration asks for. */
function askedFor(): Set<string> {
  const asked = new Set<string>()
  const sound = {
    ...exampleVariables(),
    ...LEADING,
    SERVICE_SEARCH_API_KEY: 'a',
    SERVICE_GITHUB_PRIVATE_KEY: 'b',
  }
  readConfig(
    new Proxy<Record<string, string>>(
      { ...sound, NODE_ENV: '', SERVICE_ENV: 'production', SERVICE_GITHUB_WEBHOOK_SECRET: 'long enough' },
      {
        get(variables, name) {
          if (typeof name === 'string') asked.add(name)
          return typeof name === 'string' ? variables[name] : undefined
        },
      },
    ),
    '0.4.0',
  )
  return asked
}

test('every variable of the configuration is in the example', () => {
  const asked = askedFor()
  expect(asked.size).toBeGreaterThan(40)
  expect([...asked].filter((name) => !named.has(name))).toEqual([])
})

test('every variable of a payment rail is in the example, and every one in the example is of a rail', () => {
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

test('nothing is in the example that nothing reads', () => {
  const known = new Set([
    ...askedFor(),
    ...[...read('docs/reference/settings.md').matchAll(/<br>`(SERVICE_\w+)`/g)].map(([, name = '']) => name),
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ])
  const isRail = (name: string) => /^(PAYSTACK|FLUTTERWAVE|DARAJA|MOMO|OPAY|PALMPAY|OZOW|FAWRY)_/.test(name)
  expect([...named].filter((name) => !known.has(name) && !isRail(name))).toEqual([])
})

test('a default that is shown is the default', () => {
  const shown = Object.fromEntries(
    exampleLines
      .filter(({ isDecided, value }) => !isDecided && value !== '')
      .map(({ name, value }) => [name, value]),
  )
  const { warnings: _, dataDir: __, ...bare } = readConfig(exampleVariables(), '0.4.0')
  const {
    warnings: ___,
    dataDir: ____,
    rails,
    ...full
  } = readConfig({ ...shown, ...exampleVariables() }, '0.4.0')
  expect({ ...full, rails: {} } satisfies Omit<Config, 'warnings' | 'dataDir'>).toEqual(bare)
  expect(Object.keys(rails)).toEqual(['PAYSTACK_USSD_TYPE', 'PAYSTACK_COUNTRY', 'OPAY_COUNTRY'])
})

test('with what only an operator can know it is a sound production', () => {
  const config = readConfig(exampleVariables(), '0.4.0')
  expect(config.environment).toBe('production')
  expect(config.warnings).toEqual([])
})

test('what production requires is decided in it', () => {
  const decided = exampleLines.filter(({ isDecided }) => isDecided).map(({ name }) => name)
  expect(decided).toEqual(expect.arrayContaining([...Object.keys(REQUIRED_IN_PRODUCTION), 'DATABASE_URL']))
})

test('no secret has a value in it', () => {
  const secrets = exampleLines.filter(({ name }) =>
    /SECRET|TOKEN(?!S)|_KEY|PASSKEY|HASH|DATABASE_URL|SMTP_URL/.test(name),
  )
  expect(secrets.length).toBeGreaterThan(20)
  expect(secrets.filter(({ value }) => value !== '')).toEqual([])
})
