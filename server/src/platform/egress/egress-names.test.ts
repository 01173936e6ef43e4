// Names that resolve to private addresses, as an attacker's name server would answer.
import dns from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fetchExternal, findHostProblem } from './egress.ts'

type Found = { address: string; family: number }[]
const names = { found: [] as Found, asked: 0 }

// The loader of modules cannot replace a module of Node, so its function is replaced, also for named imports.
dns.lookup = ((_: string, __: object, done: (error: Error | null, found: Found) => void) => {
  names.asked++
  done(null, names.found)
}) as typeof dns.lookup
syncBuiltinESMExports()

beforeEach(() => {
  names.asked = 0
})

const production = { loopbackAllowed: false }
const get = { method: 'GET', headers: {} }

test.for<[string, Found]>([
  ['the cloud metadata address', [{ address: '169.254.169.254', family: 4 }]],
  ['this machine', [{ address: '127.0.0.1', family: 4 }]],
  ['this machine, wrapped', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  [
    'a private network beside a public address',
    [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ],
  ],
])(
  'a name that resolves to %s is rejected when it is configured and when it is called',
  async ([, found]) => {
    names.found = found
    expect(await findHostProblem('https://idp.example.com', production)).toMatch(/public internet/)
    await expect(fetchExternal('https://idp.example.com/', get, production)).rejects.toMatchObject({
      kind: 'refused',
    })
    expect(names.asked).toBe(2)
  },
)

test('a name is resolved again for every call', async () => {
  names.found = [{ address: '8.8.8.8', family: 4 }]
  expect(await findHostProblem('https://idp.example.com', production)).toBeNull()
  names.found = [{ address: '127.0.0.1', family: 4 }]
  await expect(fetchExternal('https://idp.example.com/', get, production)).rejects.toMatchObject({
    kind: 'refused',
  })
})

test('a name is resolved once per call, and the call connects to that address', async () => {
  const server = createServer((_, response) => void response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // Listening resolved its address too.
  names.asked = 0
  names.found = [{ address: '127.0.0.1', family: 4 }]
  const address = `http://idp.localhost:${(server.address() as AddressInfo).port}/`
  const response = await fetchExternal(address, get, { loopbackAllowed: true })
  expect(await response.text()).toBe('here')
  expect(names.asked).toBe(1)
})
