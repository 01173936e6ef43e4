// The command as people run it: a process of its own.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, type StandIn, silent, startStandIn } from '../../sdk/test/stand-in.ts'

const COWRIE = fileURLToPath(new URL('../bin/cowrie.mjs', import.meta.url))
const ME = {
  userId: 'usr_1',
  orgId: 'org_1',
  email: 'ada@example.com',
  role: 'owner',
  scopes: ['*'],
  staffRole: null,
  currency: { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' },
  balanceMinor: 150_050,
  heldMinor: 0,
  availableMinor: 150_050,
  includedRemainingMinor: 0,
  plan: 'pro',
  subscriptionStatus: 'active',
  orgName: 'Ada',
  orgSuspended: false,
}

let standIn: StandIn
beforeAll(async () => {
  standIn = await startStandIn(json(200, ME), silent('data: {"delta":"a"}\n\n'))
})
afterAll(() => standIn.close())

function start(...args: string[]) {
  const child = spawn(process.execPath, [COWRIE, ...args], {
    env: { PATH: process.env.PATH, COWRIE_URL: standIn.url, COWRIE_API_KEY: 'csk_test' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, said, code }
}

test('it reads its environment, prints to its streams and ends with the code', async () => {
  const { said, code } = start('me')
  expect(await code).toBe(0)
  expect(said.stderr).toBe('')
  expect(said.stdout).toContain('₦1,500.50')
  expect(standIn.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer csk_test',
    'user-agent': 'cowrie-cli',
  })
})

test('Ctrl-C ends a stream at once, and the service notices', async () => {
  const { child, said, code } = start('call', 'GET', '/stream')
  await expect.poll(() => said.stdout, { timeout: 10_000 }).toBe('{"delta":"a"}\n')
  child.kill('SIGINT')
  expect(await code).toBe(130)
  expect(said.stderr).toBe('')
  await standIn.seen[1]?.closed
})

test('wrong use ends with 2', async () => {
  const { said, code } = start('nonsense')
  expect(await code).toBe(2)
  expect(said.stderr).toContain('There is no command "nonsense".')
})
