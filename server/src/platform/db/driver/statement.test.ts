import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OpenDb, openDb } from '../open-db.ts'
import { openPool, type Pool } from '../pool.ts'
import { json } from '../tx.ts'

let own: TestDb
let db: OpenDb
let pool: Pool
beforeAll(async () => {
  own = await openTestDb()
  // Two connections, because each prepares statements separately.
  db = openDb(own.url, { ...GENEROUS_TIMEOUTS, clock: own.clock, max: 2 })
  pool = openPool(own.url)
})
afterAll(async () => {
  await Promise.all([db.close(), pool.end()])
  await own.close()
})

const circular: { self?: unknown } = {}
circular.self = circular
const writeJson = (value: unknown) => pool.one<{ is: string }>`select ${json(value)}::jsonb ->> 'is' as is`

describe('a parameter that cannot be encoded', () => {
  test('fails only its own statement, also when the statement is not prepared yet', async () => {
    const before = pool.one`select 1 as one from pg_sleep(0.05)`
    const broken = expect(writeJson(circular)).rejects.toThrow(/circular/i)
    const behind = writeJson({ is: 'behind' })
    expect(await before).toEqual({ one: 1 })
    await broken
    expect(await behind).toEqual({ is: 'behind' })
    expect(await writeJson({ is: 'later' })).toEqual({ is: 'later' })
  })

  test('rolls the transaction back, even when the work catches the error', async () => {
    await pool.rows`create table broken_values (note text)`
    const swallowed = pool.begin(async (tx) => {
      await tx.rows`insert into broken_values values ('before')`
      await tx.rows`insert into broken_values values (${json(circular)})`.catch(() => 'goes on')
    })
    await expect(swallowed).rejects.toThrow(/circular/i)
    expect(await pool.rows`select note from broken_values`).toEqual([])
  })

  test('that is undefined is rejected with a hint', async () => {
    const missing = undefined as unknown as null
    await expect(pool.rows`select ${missing}::text`).rejects.toThrow('Bind null for a missing value')
  })
})

describe('a table that changed after its statements were prepared', () => {
  beforeEach(async () => {
    await own.sql.rows`drop table if exists shapes`
    await own.sql.rows`create table shapes (id int primary key, size int)`
    await own.sql.rows`insert into shapes values (1, 10)`
  })
  const read = (sql: Pick<Pool, 'rows'>) => sql.rows`select id, size from shapes where id = ${1}`
  const onBoth = () => Promise.all([db.direct, db.direct].map(read))

  test('is read with its new columns by single statements', async () => {
    await onBoth()
    await own.sql.rows`alter table shapes alter column size type text`
    expect(await onBoth()).toEqual(Array(2).fill([{ id: 1, size: '10' }]))
  })

  test('is read with its new columns by a transaction, which is retried as a whole', async () => {
    await Promise.all([1, 2].map(() => db.tx('platform', read)))
    await own.sql.rows`alter table shapes alter column size type text`
    let attempts = 0
    const found = await db.tx('platform', async (tx) => {
      attempts++
      await tx.rows`update shapes set id = id where id = ${1}`
      return read(tx)
    })
    expect(found).toEqual([{ id: 1, size: '10' }])
    // All connections have dropped their plans, so any of them works.
    expect(attempts).toBe(2)
  })

  test('is written with its new columns by single statements', async () => {
    const write = (size: number) => pool.rows`update shapes set size = ${size} where id = ${1}`
    await write(11)
    await own.sql.rows`alter table shapes alter column size type text`
    await write(12)
    expect(await read(pool)).toEqual([{ id: 1, size: '12' }])
  })
})

describe('a prepared statement', () => {
  test('that the server has lost is prepared again', async () => {
    const ask = () => pool.rows`select ${'there'}::text as word`
    await ask()
    await pool.unsafe('deallocate all')
    expect(await ask()).toEqual([{ word: 'there' }])
    await pool.unsafe('deallocate all')
    await expect(pool.begin((tx) => tx.rows`select ${'there'}::text as word`)).rejects.toMatchObject({
      code: '26000',
    })
    expect(await pool.begin((tx) => tx.rows`select ${'there'}::text as word`)).toEqual([{ word: 'there' }])
  })

  test('that follows a statement with a syntax error gets its own result', async () => {
    const ask = () => pool.rows<{ n: number }>`select n from comes_later where n > ${0}`
    const refused = [ask(), ask(), ask()].map((each) => expect(each).rejects.toMatchObject({ code: '42P01' }))
    await Promise.all(refused)
    await pool.rows`create table comes_later (n int)`
    await pool.rows`insert into comes_later values (7)`
    expect(await Promise.all([ask(), ask()])).toEqual([[{ n: 7 }], [{ n: 7 }]])
  })

  test('is closed when the limit per connection is exceeded', async () => {
    for (let n = 0; n < 1_050; n++) {
      const text = [`select ${n}::int as n, `, '::text as word']
      await pool.rows(Object.assign(text, { raw: text }), 'x')
    }
    const [kept] = await pool.unsafe<{ n: number }>('select count(*)::int as n from pg_prepared_statements')
    expect(kept?.n).toBeGreaterThan(900)
    expect(kept?.n).toBeLessThanOrEqual(1_000)
  })

  test('has no name when the URL has prepare=false', async () => {
    const bare = openPool(`${own.url}${own.url.includes('?') ? '&' : '?'}prepare=false`)
    for (let n = 0; n < 3; n++) expect(await bare.rows`select ${n}::int as n`).toEqual([{ n }])
    expect(await bare.unsafe('select name from pg_prepared_statements')).toEqual([])
    await bare.end()
  })
})

test('columns are parsed into the expected JavaScript types', async () => {
  const [row] = await pool.rows`
    select 1::smallint as small, 2::int as int, 3::bigint as big, 1.50::numeric as exact, 0.5::real as real, 0.25::float8 as double,
      true as yes, false as no, null::int as nothing, 'x'::varchar as word, 'n'::name as name, '{"a": [1]}'::json as json,
      '[1, "b"]'::jsonb as jsonb, '\\x00ff'::bytea as bytes, date '2026-02-03' as day, timestamptz '2026-02-03 04:05:06.789+00' as at,
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid as uuid, interval '1 day' as span, array[1, null]::int[] as ints,
      array[3]::bigint[] as bigs, array['a,b', null, '"']::text[] as words, array[true] as flags, array[1.5]::numeric[] as exacts,
      array['{"a":1}']::jsonb[] as documents, '{}'::text[] as none, array[['a'], ['b']] as nested, 26::oid as oid`
  expect(row).toEqual({
    small: 1,
    int: 2,
    big: 3n,
    exact: '1.50',
    real: 0.5,
    double: 0.25,
    yes: true,
    no: false,
    nothing: null,
    word: 'x',
    name: 'n',
    json: { a: [1] },
    jsonb: [1, 'b'],
    bytes: Buffer.from([0, 255]),
    day: new Date('2026-02-03T00:00:00.000Z'),
    at: new Date('2026-02-03T04:05:06.789Z'),
    uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    span: '1 day',
    ints: [1, null],
    bigs: [3n],
    words: ['a,b', null, '"'],
    flags: [true],
    exacts: ['1.5'],
    documents: [{ a: 1 }],
    none: [],
    nested: [['a'], ['b']],
    oid: 26,
  })
})

test('texts and bytes of any size and content are transferred unchanged', async () => {
  const text = 'ünï ✓ 𝄞 '.repeat(20_000)
  const bytes = Buffer.alloc(300_000, 7)
  expect(
    await pool.one`select ${text}::text as text, ${''}::text as empty, ${bytes}::bytea as bytes`,
  ).toEqual({ text, empty: '', bytes })
})
