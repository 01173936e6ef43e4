// Tests compose.yaml: replicas, secrets and persistent data.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { REQUIRED_IN_PRODUCTION } from '../server/src/platform/config.ts'
import { at, listAt, readYaml, recordAt } from './test/manifests.ts'

const [compose] = readYaml('compose.yaml')
const services = recordAt(compose, 'services')
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('every image has a version, and every long-running service has a restart policy and a health check', () => {
  for (const [name, service] of Object.entries(services)) {
    expect(String(at(service, 'image')), name).toMatch(/:(?!latest).*\d+\.\d+/)
    if (name === 'archive-owner') continue
    expect(at(service, 'restart'), name).toBe('unless-stopped')
    const isImageOurs = String(at(service, 'image')).startsWith('cowrie:')
    expect(isImageOurs || at(service, 'healthcheck.test') !== undefined, name).toBe(true)
  }
  expect(read('Dockerfile')).toContain('HEALTHCHECK')
})

test('a replica has every variable that production requires, and the instructions create its secrets', () => {
  const given = Object.keys(recordAt(services['gateway-1'], 'environment')).map((name) =>
    name.replace(/_FILE$/, ''),
  )
  expect(given).toEqual(expect.arrayContaining([...Object.keys(REQUIRED_IN_PRODUCTION), 'DATABASE_URL']))
  const instructions = read('deploy/README.md')
  for (const secret of Object.values(recordAt(compose, 'secrets')))
    expect(instructions).toContain(`> ${String(at(secret, 'file')).replace('deploy/secrets/', '')}`)
  const before = instructions.slice(0, instructions.indexOf('docker compose up'))
  for (const [, name] of read('compose.yaml').matchAll(/\$\{(\w+):\?/g)) expect(before).toContain(`${name}=`)
})

test('there are two replicas, and the proxy knows both', () => {
  const proxy = recordAt(services.proxy, 'environment')
  expect([proxy.GATEWAY_1, proxy.GATEWAY_2]).toEqual(['gateway-1:8080', 'gateway-2:8080'])
  for (const name of ['gateway-1', 'gateway-2']) expect(services[name]).toEqual(services['gateway-1'])
})

test('the proxy gets every variable that its configuration uses', () => {
  const taken = [...read('deploy/proxy/haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
  expect(new Set(Object.keys(recordAt(services.proxy, 'environment')))).toEqual(new Set(taken))
})

test('a replica has enough time to shut down, no capabilities, and writes only to its volume', () => {
  const gateway = services['gateway-1']
  const drain = Number(/DRAIN_MS = (\d+)_000/.exec(read('server/src/main.ts'))?.[1])
  expect(Number.parseInt(String(at(gateway, 'stop_grace_period')), 10)).toBeGreaterThan(drain)
  expect(at(gateway, 'read_only')).toBe(true)
  expect(listAt(gateway, 'cap_drop')).toEqual(['ALL'])
  expect(listAt(gateway, 'volumes')).toEqual(['files:/data'])
})

test('secrets are files: none is in compose.yaml, all named ones exist, and git ignores the files', () => {
  const defined = recordAt(compose, 'secrets')
  for (const [name, service] of Object.entries(services)) {
    for (const secret of listAt(service, 'secrets')) expect(defined[String(secret)], name).toBeDefined()
    for (const [variable, value] of Object.entries(recordAt(service, 'environment'))) {
      if (/SECRET|TOKEN|PASSWORD|DATABASE_URL|SMTP_URL/.test(variable))
        expect(`${variable}=${value}`).toMatch(/_FILE=\/run\/secrets\/\w+$/)
      const secret = /^\/run\/secrets\/(\w+)$/.exec(String(value))?.[1]
      if (secret !== undefined) expect(listAt(service, 'secrets')).toContain(secret)
    }
  }
  for (const secret of Object.values(defined))
    expect(String(at(secret, 'file'))).toMatch(/^deploy\/secrets\//)
  expect(read('.gitignore')).toContain('deploy/secrets/')
})

test('the database is archived and publishes no port', () => {
  const command = listAt(services.postgres, 'command').map(String)
  expect(command).toContain('archive_mode=on')
  expect(command.find((word) => word.startsWith('archive_command='))).toContain('/archive/%f')
  expect(listAt(services.postgres, 'volumes')).toContain('archive:/archive')
  for (const name of ['postgres', 'redis']) {
    expect(at(services[name], 'ports')).toBeUndefined()
    expect(listAt(services[name], 'networks')).toEqual(['inside'])
  }
  expect(at(compose, 'networks.inside.internal')).toBe(true)
})

test('the connections of all replicas fit into the database', () => {
  const command = listAt(services.postgres, 'command').map(String)
  const most = Number(command.find((word) => word.startsWith('max_connections='))?.split('=')[1])
  const pool = Number(at(services['gateway-1'], 'environment.SERVICE_DATABASE_POOL'))
  // Two replicas and two replacements during an upgrade, each with one more connection to listen and one to migrate, plus ten for administrators.
  expect(most).toBeGreaterThanOrEqual(4 * (pool + 2) + 10)
})
