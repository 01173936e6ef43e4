import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { publishLog } from '@cowrie/testkit/wallet/publish-log.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leafHash, nodeHash } from './tree/hashes.ts'
import { growTiles, readNodes, type Tile } from './tree/tiles.ts'
import { treeRoot } from './tree/tree.ts'

let server: TestServer
let replica: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  ada = await server.person()
  await giveCredit(server, ada.orgId, 1000n)
  await publish()
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const publish = (at = server) => publishLog(at)
type Entry = { entry: bigint; leaf: string }
const entries = (at = server) =>
  at.sql.rows<Entry>`select entry, leaf from transparency_entries order by entry`
type Described = { origin: string; publicKey: string; size: number; root: string; checkpoint: string }
const described = async (at = server) => (await at.call<Described>('GET', '/transparency')).body
type Proof = {
  name: string
  entry: { seq: number; hash: string }
  index: number
  leaf: string
  inclusion: string[]
  checkpoint: string
}
const prove = (as: Person, at = server) => at.call<Proof>('GET', '/wallet/proof/transparency', { as })

/** Recomputes the root from the texts of the entries. */
async function rootOfEntries(at = server): Promise<string> {
  const found = await entries(at)
  expect(found.map(({ entry }) => Number(entry))).toEqual(found.map((_, n) => n))
  const tiles: Tile[] = growTiles(
    0,
    [],
    found.map(({ leaf }) => leafHash(leaf)),
  )
  return treeRoot(readNodes(tiles), found.length).toString('hex')
}

describe('the log', () => {
  test('has one entry for each changed chain, without the name of an organisation', async () => {
    const before = await entries()
    const [bob, eve] = [await server.person(), await server.person()]
    await giveCredit(server, bob.orgId, 5n)
    await giveCredit(server, bob.orgId, 6n)
    await giveCredit(server, eve.orgId, 7n)
    await publish()
    const added = (await entries()).slice(before.length).map(({ leaf }) => leaf)
    const names = await Promise.all(
      [bob, eve].map(async (as) => (await server.call('GET', '/wallet/proof', { as })).body.transparencyName),
    )
    const wallets = added.filter((leaf) => leaf.includes('\nwallet\n'))
    expect(wallets.map((leaf) => leaf.split('\n').slice(0, 4))).toEqual(
      expect.arrayContaining([
        ['cowrie-head-1', 'wallet', names[0], '2'],
        ['cowrie-head-1', 'wallet', names[1], '1'],
      ]),
    )
    expect(wallets).toHaveLength(2)
    const all = (await entries()).map(({ leaf }) => leaf).join('')
    for (const { orgId } of [ada, bob, eve]) expect(all).not.toContain(orgId)
    expect(all).toMatch(
      /^(cowrie-head-1\n(wallet|audit)\n[0-9a-f]{64}\n\d+\n[0-9a-f]{64}\n[\dTZ:.-]{24}\n)+$/,
    )
    await publish()
    expect(await entries()).toHaveLength(before.length + added.length)
  })

  test('has audit chains under names that differ from those of wallets', async () => {
    const { name } = (await prove(ada)).body
    const ofAudit = (
      await server.sql.rows<{ name: string }>`
      select name from transparency_chains where kind = 'audit' and chain = ${ada.orgId}`
    )[0]?.name
    expect(ofAudit).not.toBe(name)
  })

  test('has a new entry for a chain that was rewound, and logs it', async () => {
    const person = await server.person()
    await giveCredit(server, person.orgId, 1n)
    await giveCredit(server, person.orgId, 1n)
    await publish()
    const { index } = (await prove(person)).body
    await server.sql.rows`update wallets set seq = 1, head = sha256('x') where org_id = ${person.orgId}`
    await publish()
    expect((await prove(person)).body).toMatchObject({ entry: { seq: 1 } })
    expect((await prove(person)).body.index).toBeGreaterThan(index)
    expect(server.logged.filter((line) => line.includes('transparency.chain.rewound')).join()).toContain(
      person.orgId,
    )
  })

  test('is published every five minutes', async () => {
    await server.app.jobs.drain()
    const person = await server.person()
    await giveCredit(server, person.orgId, 1n)
    expect((await prove(person)).status).toBe(404)
    server.clock.advance({ minutes: 5 })
    await server.app.jobs.drain()
    expect((await prove(person)).status).toBe(200)
  })

  test('keeps one order when two replicas append at once', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => server.person()))
    await Promise.all(people.map(({ orgId }) => giveCredit(server, orgId, 3n)))
    await Promise.all([publish(), publish(replica), publish(), publish(replica)])
    const replies = await Promise.all(people.map((each) => prove(each)))
    expect(new Set(replies.map(({ body }) => body.index)).size).toBe(people.length)
    expect((await described()).root).toBe(await rootOfEntries())
    expect((await described(replica)).root).toBe((await described()).root)
  })

  test('has all of an append or nothing, when the connection dies in the middle', async () => {
    const person = await server.person()
    await giveCredit(server, person.orgId, 3n)
    const before = await described()
    await server.sql.rows`create function stop_here() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$`
    await server.sql.rows`create trigger stop_here before insert or update on transparency_chains
      for each row execute function stop_here()`
    const appending = await server.app.db.tx('platform', async (tx) => {
      await tx.rows`select pg_advisory_xact_lock(4711)`
      const started = publish()
      const waiting = () => server.sql.rows<{ pid: number }>`
        select pid from pg_locks where locktype = 'advisory' and not granted and database =
          (select oid from pg_database where datname = current_database())`
      let found = await waiting()
      while (found.length === 0) found = await waiting()
      // The transaction has written the entry and its tile.
      await server.sql.rows`select pg_terminate_backend(${found[0]?.pid ?? 0})`
      expect((await described()).root).toBe(await rootOfEntries())
      return { started }
    })
    await appending.started
    await server.sql.rows`drop trigger stop_here on transparency_chains`
    const after = await described()
    expect(after.size).toBe(before.size + 1)
    expect(after.root).toBe(await rootOfEntries())
  })

  test.for(['transparency_entries', 'transparency_tiles', 'transparency_log'])(
    'refuses changes of %s',
    async (table) => {
      const statement = (text: string) =>
        Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray
      for (const text of [`delete from ${table}`, `truncate ${table}`])
        await expect(server.sql.rows(statement(text)), text).rejects.toThrow('refused')
      const change = {
        transparency_entries: `update transparency_entries set leaf = 'x'`,
        transparency_tiles: `update transparency_tiles set hashes = substr(hashes, 33) || sha256('x')`,
        transparency_log: 'update transparency_log set size = size - 1',
      }[table]
      await expect(server.sql.rows(statement(change ?? ''))).rejects.toThrow('refused')
    },
  )
})

describe('a log of more than 10 000 entries', () => {
  const CHAINS = 10_005
  let large: TestServer
  beforeAll(async () => {
    large = await startTestServer()
    await large.sql.rows`
      insert into orgs (id, name, type, tier, currency, created_at)
      select 'org_' || n, 'Many', 'individual', 'individual', 'NGN', ${large.clock.now()} from generate_series(1, ${CHAINS}) n`
    await large.sql.rows`update wallets set seq = 1, head = sha256(org_id::bytea)`
    await publish(large)
  })
  afterAll(() => large.close())

  test('is published in several runs', async () => {
    expect((await described(large)).size).toBe(10_000)
    expect(large.logged.filter((line) => line.includes('transparency.log.backlog'))).toHaveLength(1)
    await publish(large)
    expect((await described(large)).size).toBe(CHAINS)
    expect((await described(large)).root).toBe(await rootOfEntries(large))
  })

  test('has full tiles, and tiles of tiles', async () => {
    const tile = async (path: string) => {
      const found = await fetch(`${await largeAddress}/transparency/tile/${path}`)
      return Buffer.from(await found.arrayBuffer())
    }
    const largeAddress = large.listen()
    const full = await tile('0/038')
    const parent = await tile('1/000.p/39')
    expect([full.length, parent.length]).toEqual([256 * 32, 39 * 32])
    const node = readNodes([{ level: 0, tile: 0, hashes: full }])
    expect(parent.subarray(-32)).toEqual(nodeHash(node(7, 0), node(7, 1)))
    expect(await tile('0/038.p/7')).toEqual(full.subarray(0, 7 * 32))
    expect(await tile('entries/038')).toHaveLength((await tile('entries/037')).length)
  })
})

describe('the routes', () => {
  test('serve a checkpoint that is signed with the published key', async () => {
    const { origin, publicKey, size, root, checkpoint } = await described()
    expect(origin).toBe('cowrie.test/transparency')
    const reply = await server.call('GET', '/transparency/checkpoint')
    expect([reply.text, reply.headers['cache-control'], reply.headers['content-type']]).toEqual([
      checkpoint,
      'public, max-age=10',
      'text/plain; charset=utf-8',
    ])
    const [text = '', signature = ''] = checkpoint.split('\n\n')
    expect(text).toBe(`${origin}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}`)
    const [, keyHash, key = ''] = /\+([0-9a-f]{8})\+(.+)$/.exec(publicKey) ?? []
    const signed = Buffer.from(signature.trimEnd().split(' ').at(-1) ?? '', 'base64')
    expect([signature.startsWith(`— ${origin} `), signed.length, signed.toString('hex', 0, 4)]).toEqual([
      true,
      68,
      keyHash,
    ])
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(key, 'base64').subarray(1),
    ])
    const verifier = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    expect(verify(null, Buffer.from(`${text}\n`), verifier, signed.subarray(4))).toBe(true)
  })

  test('prove that the head of a wallet is in the log', async () => {
    const head = (await server.call<{ head: object }>('GET', '/wallet/proof', { as: ada })).body.head
    const { status, body } = await prove(ada)
    expect([status, body.entry]).toEqual([200, head])
    expect(body.leaf.split('\n').slice(0, 5)).toEqual([
      ...['cowrie-head-1', 'wallet', body.name, String(body.entry.seq), body.entry.hash],
    ])
    const root = foldProof(body.leaf, body, Number(body.checkpoint.split('\n')[1]))
    expect(root.toString('base64')).toBe(body.checkpoint.split('\n')[2])
  })

  test('serve tiles and entries that contain the tree, and keep them for ever', async () => {
    const { size, root } = await described()
    const people = await Promise.all(Array.from({ length: 5 }, () => server.person()))
    await Promise.all(people.map(({ orgId }) => giveCredit(server, orgId, 3n)))
    await publish()
    const bytes = async (path: string) =>
      (await fetch(`${await address()}/transparency/tile/${path}`)).arrayBuffer()
    const tile = Buffer.from(await bytes(`0/000.p/${size}`))
    expect(tile.length).toBe(32 * size)
    expect(treeRoot(readNodes([{ level: 0, tile: 0, hashes: tile }]), size).toString('hex')).toBe(root)
    const bundle = Buffer.from(await bytes(`entries/000.p/${size}`))
    const leaves: string[] = []
    for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
      leaves.push(bundle.toString('utf8', at + 2, at + 2 + bundle.readUInt16BE(at)))
    expect(leaves).toEqual((await entries()).slice(0, size).map(({ leaf }) => leaf))
    const reply = await server.call('GET', `/transparency/tile/0/000.p/${size}`)
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test.for([
    '0/000',
    '0/0',
    '0/000.p/0',
    '0/000.p/256',
    '0/001.p/1',
    '1/000.p/1',
    '5/000.p/1',
    '9/000.p/1',
    '0/x000/000.p/1',
    '0/x999/x999/x999/x999/999',
    '0/..',
    'entries/000',
    'entries/x',
  ])('answer 404 for the tile %s of a small log', async (path) => {
    expect((await server.call('GET', `/transparency/tile/${path}`)).status).toBe(404)
  })

  test('need a signed-in caller for the proof of a wallet, and show only the own one', async () => {
    expect((await server.call('GET', '/wallet/proof/transparency')).status).toBe(401)
    const other = await server.person()
    expect(await prove(other)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

let listening: Promise<string> | undefined
const address = () => (listening ??= server.listen())

/** RFC 9162, section 2.1.3.2. */
function foldProof(leaf: string, { index, inclusion }: Proof, size: number): Buffer {
  let [fn, sn] = [index, size - 1]
  let hash = leafHash(leaf)
  for (const hex of inclusion) {
    const sibling = Buffer.from(hex, 'hex')
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeHash(sibling, hash)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1]
    } else hash = nodeHash(hash, sibling)
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  return hash
}

describe('the key', () => {
  const seed = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  const withKeys = (variables: Record<string, string>) =>
    startTestServer({ url: server.url, clock: server.clock, variables })

  test('is a seed or a PEM file, and the previous one also signs', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const old = await withKeys({ SERVICE_TRANSPARENCY_KEY: seed(7) })
    const rotated = await withKeys({
      SERVICE_TRANSPARENCY_KEY: pem,
      SERVICE_TRANSPARENCY_KEY_PREVIOUS: seed(7),
      SERVICE_TRANSPARENCY_ORIGIN: 'cowrie.test/transparency',
    })
    const [before, after] = [await described(old), await described(rotated)]
    expect(after.publicKey).not.toBe(before.publicKey)
    const line = before.checkpoint.split('\n\n')[1]
    expect(after.checkpoint.split('\n\n')[1]?.split('\n')[1]).toBe(line?.trimEnd())
    await old.close()
    await rotated.close()
  })

  test.for([
    ['too short', 'short'],
    ['too long', `${'A'.repeat(43)}==`],
    ['X25519', generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ])('of another form is refused at start: %s', async ([, key]) => {
    await expect(withKeys({ SERVICE_TRANSPARENCY_KEY: String(key) })).rejects.toThrow(
      'must be an Ed25519 key',
    )
  })
})

test('without a key in production there is no log, and the start warns', async () => {
  const off = await startTestServer({
    variables: {
      SERVICE_ENV: 'production',
      SERVICE_BASE_URL: 'https://cowrie.test',
      SERVICE_SECRET: 'Jt2rRr7FqUo1Nn3xDb0wLk8sVh5yQe6zCm4aGi9p',
      SERVICE_SMTP_URL: 'smtp://127.0.0.1:2525',
      SERVICE_MAIL_FROM: 'Cowrie <no-reply@cowrie.test>',
    },
  })
  expect(off.logged.filter((line) => line.includes('transparency.log.off'))).toHaveLength(1)
  for (const path of ['', '/checkpoint', '/tile/0/000', '/tile/entries/000'])
    expect(await off.call('GET', `/transparency${path}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', error: 'This service does not publish a transparency log.' },
    })
  await publish(off)
  expect(await off.sql.rows`select entry from transparency_entries`).toEqual([])
  await off.close()
})
