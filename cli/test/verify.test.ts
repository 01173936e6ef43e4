// "cowrie verify" against the real service: live, from an export, and with logs that were tampered with.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromJson, toJson } from '@cowrie/sdk'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, grantAllowance, holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { publishLog } from '@cowrie/testkit/wallet/publish-log.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cowrie } from './cowrie.ts'

let server: TestServer
let url: string
let home: string
let ada: Person
let key: string
beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  home = await mkdtemp(join(tmpdir(), 'cowrie-verify-'))
  ada = await server.person()
  key = (await server.key(ada, ['wallet:read'])).bearer
  await giveCredit(server, ada.orgId, 10_000n)
  await grantAllowance(server, ada.orgId, 500n)
  await spend(server, ada, 700n, 900n)
  await holdSome(server, ada, 200n)
  await publishLog(server)
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

/** Every state folder stands for another computer. */
const verify = (args: string[], state = 'first', { at = url, as = key as string | null } = {}) =>
  cowrie(['verify', ...args], {
    env: {
      COWRIE_URL: at,
      ...(as !== null && { COWRIE_API_KEY: as }),
      NO_COLOR: '1',
      XDG_STATE_HOME: join(home, state),
    },
    machine: { cwd: home },
  })
const statePath = (state: string) => join(home, state, 'cowrie/transparency.json')
type State = Record<string, { key: string; checkpoint: string }>
const stateOf = async (state: string) => JSON.parse(await readFile(statePath(state), 'utf8')) as State
const faultsOf = async (args: string[], state?: string) => {
  const { code, stdout } = await verify([...args, '--json'], state)
  const { ok, faults } = fromJson(stdout) as { ok: boolean; faults: { code: string; seq?: number }[] }
  expect([code, ok]).toEqual(faults.length === 0 ? [0, true] : [1, false])
  return faults
}

type Document = {
  wallet: { balanceMinor: bigint }
  movements: { seq: number; ref: string; hash: string }[]
  transparency: { leaf: string; checkpoint: string; inclusion: string[]; publicKey: string } | null
}

let exported: Promise<string> | undefined

async function readExport(): Promise<string> {
  const signedIn = server.visitor()
  await signedIn.call('POST', '/auth/dev-login', { body: { email: ada.email } })
  const { status, text } = await signedIn.call('GET', `/orgs/${ada.orgId}/export`)
  expect(status).toBe(200)
  return text
}

/** A file with the data export of the organisation, after a change. Exports are limited, so there is only one. */
async function exportFile(change: (document: Document) => void = () => undefined): Promise<string> {
  exported ??= readExport()
  const document = fromJson(await exported) as Document
  change(document)
  const path = join(home, 'export.json')
  await writeFile(path, toJson(document))
  return path
}

describe('cowrie verify', () => {
  test('verifies the postings of the service and their place in the log', async () => {
    const { code, stdout, stderr } = await verify([])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^✓ 5 postings are intact, and the balances at 5 are their sums\.\n✓ Posting 5 is entry \d+ of the log cowrie\.test\/transparency with \d+ entries\.\n {2}1 reservations are open\.\n$/,
      ),
    })
    expect(stderr).toContain('Compare the key of the log with a trusted source')
    expect((await verify([])).stderr).not.toContain('Compare the key')
    expect((await stateOf('first'))[url]?.checkpoint).toMatch(/^cowrie\.test\/transparency\n/)
  })

  test('verifies an export without a network and without a key', async () => {
    const path = await exportFile()
    const { code, stdout } = await verify(['--export', path], 'offline', {
      at: 'http://127.0.0.1:9',
      as: null,
    })
    expect([code, stdout]).toEqual([0, expect.stringContaining('✓ Posting 5 is entry')])
  })

  test.for<[string, (document: Document) => void, { code: string; seq?: number }]>([
    [
      'changed',
      ({ movements }) => Object.assign(movements[1] ?? {}, { ref: 'another' }),
      { code: 'changed', seq: 2 },
    ],
    ['removed', ({ movements }) => movements.splice(2, 1), { code: 'removed', seq: 3 }],
    ['truncated', ({ movements }) => movements.splice(3), { code: 'removed', seq: 4 }],
    [
      'inserted',
      ({ movements }) => movements.splice(1, 0, ...movements.slice(0, 1)),
      { code: 'inserted', seq: 1 },
    ],
    ['reordered', ({ movements }) => movements.reverse(), { code: 'reordered', seq: 1 }],
    [
      'another balance',
      ({ wallet }) => Object.assign(wallet, { balanceMinor: 1n }),
      { code: 'balances', seq: 5 },
    ],
    [
      'another entry',
      ({ transparency }) =>
        Object.assign(transparency ?? {}, { leaf: transparency?.leaf.replace('\n5\n', '\n4\n') }),
      { code: 'not_in_log' },
    ],
    [
      'another proof',
      ({ transparency }) => transparency?.inclusion.push('00'.repeat(32)),
      { code: 'not_in_log' },
    ],
    [
      'another signature',
      ({ transparency: proof }) =>
        Object.assign(proof ?? {}, { checkpoint: proof?.checkpoint.replace(/\n(\d+)\n/, '\n1$1\n') }),
      { code: 'log_unsigned' },
    ],
  ])('finds an export with postings %s', async ([, change, fault]) => {
    expect(await faultsOf(['--export', await exportFile(change)])).toMatchObject([fault])
  })

  test('finds a chain that was rewritten with its head after it was published', async () => {
    const bob = await server.person()
    await giveCredit(server, bob.orgId, 10n)
    await giveCredit(server, bob.orgId, 20n)
    await publishLog(server)
    const bearer = (await server.key(bob, ['wallet:read'])).bearer
    expect((await verify([], 'bob', { as: bearer })).code).toBe(0)
    await server.sql.rows`alter table movements disable trigger no_change`
    await server.sql.rows`update movements m set ref = 'another' where org_id = ${bob.orgId} and seq = 2`
    await server.sql
      .rows`update movements m set hash = movement_hash((select hash from movements where org_id = ${bob.orgId} and seq = 1), m)
      where org_id = ${bob.orgId} and seq = 2`
    await server.sql.rows`alter table movements enable trigger no_change`
    await server.sql
      .rows`update wallets set head = (select hash from movements where org_id = ${bob.orgId} and seq = 2) where org_id = ${bob.orgId}`
    const { code, stdout } = await verify(['--json'], 'bob', { as: bearer })
    expect(code).toBe(1)
    expect(fromJson(stdout)).toMatchObject({ faults: [{ code: 'log_contradicts' }] })
  })

  test('finds a rewritten ledger whose published entry is hidden, or replaced by an older one', async () => {
    const eve = await server.person()
    const bearer = (await server.key(eve, ['wallet:read'])).bearer
    await giveCredit(server, eve.orgId, 10n)
    await publishLog(server)
    await giveCredit(server, eve.orgId, 20n)
    await publishLog(server)
    const read = async (state: string) => {
      const { stdout } = await verify(['--json'], state, { as: bearer })
      return (fromJson(stdout) as { faults: { code: string; message: string }[] }).faults
    }
    expect(await read('eve')).toEqual([])
    const chain = await server.sql.one<{ entry: bigint; hash: string }>`
      select entry, hash from transparency_chains where kind = 'wallet' and chain = ${eve.orgId}`
    const [older] = await server.sql.rows<{ entry: bigint; leaf: string }>`
      select entry, leaf from transparency_entries where entry < ${chain.entry} order by entry desc limit 1`
    const hash = older?.leaf.split('\n')[4] ?? ''
    await server.sql.rows`
      update transparency_chains set seq = 1, hash = ${hash}, entry = ${older?.entry ?? 0n}
      where kind = 'wallet' and chain = ${eve.orgId}`
    expect(await read('eve')).toMatchObject([
      { code: 'not_in_log', message: expect.stringContaining('posting 2') },
    ])
    await server.sql.rows`delete from transparency_chains where kind = 'wallet' and chain = ${eve.orgId}`
    expect(await read('eve')).toMatchObject([{ code: 'not_in_log' }])
    // A computer that never saw the entry cannot know.
    expect(await read('eve, new')).toEqual([])
  })

  test('accepts a log that grew, and compares it with the checkpoint of another source', async () => {
    await verify([], 'growing')
    const before = (await stateOf('growing'))[url]?.checkpoint ?? ''
    await writeFile(join(home, 'old.txt'), before)
    const people = await Promise.all(Array.from({ length: 5 }, () => server.person()))
    await Promise.all(people.map(({ orgId }) => giveCredit(server, orgId, 1n)))
    await publishLog(server)
    expect(await faultsOf(['--checkpoint', 'old.txt'], 'growing')).toEqual([])
    expect((await stateOf('growing'))[url]?.checkpoint).not.toBe(before)
  })

  test('compares an export with a known checkpoint of another size only when the tiles can be read', async () => {
    await verify([], 'auditor')
    const known = (await stateOf('auditor'))[url]
    const path = await exportFile()
    const other = await server.person()
    await giveCredit(server, other.orgId, 1n)
    await publishLog(server)
    const newer = (await server.call('GET', '/transparency/checkpoint')).text
    await writeFile(join(home, 'newer.txt'), newer)
    expect(await faultsOf(['--export', path, '--checkpoint', 'newer.txt'], 'auditor')).toEqual([])

    const away = 'http://127.0.0.1:9'
    await writeFile(statePath('auditor'), JSON.stringify({ [away]: { key: known?.key, checkpoint: newer } }))
    const offline = (args: string[]) => verify(['--export', path, ...args], 'auditor', { at: away, as: null })
    expect((await offline([])).code).toBe(0)
    expect((await stateOf('auditor'))[away]?.checkpoint).toBe(newer)
    expect(await offline(['--checkpoint', 'newer.txt'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('log_unreachable'),
    })
  })

  test('refuses another key, a given one and the remembered one', async () => {
    const known = (await server.call<{ publicKey: string }>('GET', '/transparency')).body.publicKey
    expect(await faultsOf(['--key', known], 'keyed')).toEqual([])
    const flipped = known.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect(await faultsOf(['--key', flipped], 'keyed')).toMatchObject([{ code: 'log_unsigned' }])
    expect(
      await faultsOf(['--key', `other.example${known.slice(known.indexOf('+'))}`], 'keyed'),
    ).toMatchObject([{ code: 'log_replaced' }])
    const state = await stateOf('keyed')
    await writeFile(statePath('keyed'), JSON.stringify({ [url]: { ...state[url], key: flipped } }))
    expect(await faultsOf([], 'keyed')).toMatchObject([{ code: 'log_unsigned' }])
    const former = {
      key: `former.example${known.slice(known.indexOf('+'))}`,
      checkpoint: state[url]?.checkpoint.replace('cowrie.test', 'former.test'),
    }
    await writeFile(statePath('keyed'), JSON.stringify({ [url]: former }))
    expect(await faultsOf([], 'keyed')).toMatchObject([{ code: 'log_replaced' }])
    expect(await faultsOf(['--key', known], 'keyed')).toEqual([])
    expect(await faultsOf([], 'keyed')).toEqual([])
  })
})

describe('a log that', () => {
  /** A service on the same address for the CLI, with another history: its key is the same. */
  const seed = Buffer.alloc(32, 3).toString('base64')
  const variables = { SERVICE_TRANSPARENCY_KEY: seed }
  async function serviceWith(credits: number) {
    const other = await startTestServer({ variables })
    const person = await other.person()
    const bearer = (await other.key(person, ['wallet:read'])).bearer
    for (let n = 0; n < credits; n++) {
      await giveCredit(other, person.orgId, 1n)
      await publishLog(other)
    }
    const address = await other.listen()
    const run = async (state: string) => {
      const { code, stdout } = await verify(['--json'], state, { at: address, as: bearer })
      return { code, result: fromJson(stdout) as { faults: { code: string; checkpoints?: string[] }[] } }
    }
    return { other, address, run }
  }

  test('has two versions, became shorter, or is off is reported, and the known checkpoint is kept', async () => {
    const [one, two] = [await serviceWith(2), await serviceWith(4)]
    expect((await one.run('one')).code).toBe(0)
    expect((await two.run('two')).code).toBe(0)
    const known = { one: (await stateOf('one'))[one.address], two: (await stateOf('two'))[two.address] }

    const pretend = async (state: string, address: string, log: unknown) =>
      writeFile(statePath(state), JSON.stringify({ [address]: log }))
    await pretend('one', two.address, known.one)
    const forked = await two.run('one')
    expect(forked).toMatchObject({ code: 1, result: { faults: [{ code: 'log_forked' }] } })
    expect(forked.result.faults[0]?.checkpoints?.[0]).toBe(known.one?.checkpoint)
    expect((await stateOf('one'))[two.address]).toEqual(known.one)

    await pretend('two', one.address, known.two)
    expect(await one.run('two')).toMatchObject({ code: 1, result: { faults: [{ code: 'log_shrank' }] } })
    expect((await stateOf('two'))[one.address]).toEqual(known.two)
    const off = await startTestServer({
      variables: {
        SERVICE_ENV: 'production',
        SERVICE_BASE_URL: 'https://cowrie.test',
        SERVICE_SECRET: 'Jt2rRr7FqUo1Nn3xDb0wLk8sVh5yQe6zCm4aGi9p',
        SERVICE_SMTP_URL: 'smtp://127.0.0.1:2525',
        SERVICE_MAIL_FROM: 'Cowrie <no-reply@cowrie.test>',
      },
    })
    const bearer = (await off.key(await off.person(), ['wallet:read'])).bearer
    const address = await off.listen()
    expect(await verify([], 'off', { at: address, as: bearer })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('has no entry in a transparency log'),
    })
    await pretend('one', address, known.one)
    const gone = await verify([], 'one', { at: address, as: bearer })
    expect(gone).toMatchObject({ code: 1, stdout: expect.stringContaining('no longer publishes its log') })
    for (const each of [one.other, two.other, off]) await each.close()
  })

  test('gets a new key is trusted while the old one also signs, and not otherwise', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const rotated = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_TRANSPARENCY_KEY: pem, SERVICE_TRANSPARENCY_KEY_PREVIOUS: seed },
    })
    const after = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_TRANSPARENCY_KEY: pem },
    })
    const before = await startTestServer({ url: server.url, clock: server.clock, variables })
    const addresses = [await before.listen(), await rotated.listen(), await after.listen()] as const
    const carry = async (state: string, from: string, to: string) =>
      writeFile(statePath(state), JSON.stringify({ [to]: (await stateOf(state))[from] }))
    const run = (state: string, at: string) => verify([], state, { at })

    expect((await run('rotating', addresses[0])).code).toBe(0)
    await carry('rotating', addresses[0], addresses[1])
    expect((await run('rotating', addresses[1])).code).toBe(0)
    await carry('rotating', addresses[1], addresses[2])
    expect((await run('rotating', addresses[2])).code).toBe(0)

    expect((await run('late', addresses[0])).code).toBe(0)
    await carry('late', addresses[0], addresses[2])
    expect(await run('late', addresses[2])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('log_unsigned'),
    })
    for (const each of [rotated, after, before]) await each.close()
  })
})

test('the command needs a readable export, and a key without one', async () => {
  expect(await verify(['--export', 'nothing.json'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ENOENT'),
  })
  await writeFile(join(home, 'other.json'), '{"a":1}')
  expect(await verify(['--export', 'other.json'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is no data export'),
  })
  expect(await verify([], 'none', { as: null })).toMatchObject({ code: 4 })
  expect(await verify(['--live', '--export', 'x'])).toMatchObject({ code: 64 })
})
