import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { runTask, task } from '@cowrie/server/src/platform/workers/workers.ts'
import { describe, expect, test } from 'vitest'
import { EMBEDDING_DIMENSIONS, embedQuery, embedText, load } from './embedding.ts'
import { TEXT_CHARACTERS_MAX } from './features.ts'
import { DamagedWeightsError, readWeights, writeWeights } from './weights.ts'

const MODELS = new URL('./weights/', import.meta.url)
const shipped = () => readFileSync(new URL('cowrie-embed-1.bin', MODELS))

const lengthOf = (vector: Int8Array) => Math.hypot(...vector)
const likeness = (a: Int8Array, b: Int8Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

const CODE = 'export function parseDate(text: string): Date {\n  return new Date(Date.parse(text))\n}'

describe('a vector', () => {
  test('is the same on a thread and in another process', async () => {
    const here = embedText(CODE)
    const onThread = task<{ text: string }, Int8Array>(
      new URL('../../testkit/workers/embed-task.ts', import.meta.url),
    )
    expect(await runTask(onThread, { text: CODE }, { timeoutMs: 20_000 })).toEqual(here)

    const script = `const { embedText } = await import(${JSON.stringify(new URL('./embedding.ts', import.meta.url))})
      process.stdout.write(embedText(${JSON.stringify(CODE)}).join())`
    const other = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(other.stdout).toBe(here.join())
  })

  test('does not depend on texts embedded before', () => {
    const before = embedText(CODE)
    for (let i = 0; i < 50; i++) embedText(`another text ${i} ${'with many words '.repeat(i)}`)
    expect(embedText(CODE)).toEqual(before)
  })

  test.for<[string, string]>([
    ['a word', 'x'],
    ['code', CODE],
    ['words outside the vocabulary', 'zzqxv_blorpt kwyjibo9000'],
    ['Arabic', 'حساب مجموع الفواتير لكل عميل'],
    ['Yorùbá', 'ṣe àkójọpọ̀ gbogbo owó'],
    ['an unpaired surrogate', `a\ud800 b`],
    ['long', 'const balance = wallet.available\n'.repeat(40_000)],
  ])('of %s has length 127', ([, text]) => {
    for (const vector of [embedText(text), embedQuery(text)]) {
      expect(vector).toHaveLength(EMBEDDING_DIMENSIONS)
      expect(Math.abs(lengthOf(vector) - 127)).toBeLessThan(3)
    }
  })

  test.for<[string]>([[''], ['   \n'], ['{}();'], ['🙂🙃'], ['\u0000']])('of %j is the origin', ([text]) => {
    expect(lengthOf(embedText(text))).toBe(0)
    expect(lengthOf(embedQuery(text))).toBe(0)
  })

  test('uses only the beginning of a very long text', () => {
    const endless = 'transfer '.repeat(130_000)
    expect(endless.length).toBeGreaterThan(1_000_000)
    expect(embedText(`${endless} refund`)).toEqual(embedText(endless.slice(0, TEXT_CHARACTERS_MAX)))
    expect(embedText('a'.repeat(1_000_000))).toHaveLength(EMBEDDING_DIMENSIONS)
  })
})

test('a query is nearly always nearest to the code that answers it, even without common words', () => {
  const pairs = [
    ['remove duplicate values from a list', 'export const uniq = (items) => [...new Set(items)]'],
    [
      'wait for some time before continuing',
      'const sleep = (ms) => new Promise((done) => setTimeout(done, ms))',
    ],
    [
      'check whether a file is there',
      'def exists(path):\n    try:\n        os.stat(path)\n        return True\n    except OSError:\n        return False',
    ],
    [
      'turn an object into text to be sent',
      'func (m *Message) Encode() ([]byte, error) { return json.Marshal(m) }',
    ],
    [
      'uppercase the first letter of a string',
      'public static String capitalize(String str) { return Character.toTitleCase(str.charAt(0)) + str.substring(1); }',
    ],
    [
      'open a connection to the database',
      'function connect($dsn, $user, $password) { return new PDO($dsn, $user, $password); }',
    ],
    [
      'largest number in an array',
      'function max(values) { let best = -Infinity; for (const v of values) if (v > best) best = v; return best }',
    ],
    [
      'verify the signature of a token',
      "export function check(jwt, secret) { const mac = createHmac('sha256', secret).update(jwt.body).digest(); return timingSafeEqual(mac, jwt.signature) }",
    ],
  ] as const
  const texts = pairs.map(([, code]) => embedText(code))
  const nearest = pairs.map(([question]) => {
    const asked = embedQuery(question)
    const likenesses = texts.map((text) => likeness(asked, text))
    return likenesses.indexOf(Math.max(...likenesses))
  })
  expect(nearest.filter((place, i) => place === i).length).toBeGreaterThanOrEqual(pairs.length - 1)
})

describe('the shipped file', () => {
  test('is small and names its training data', () => {
    const file = shipped()
    const provenance = createHash('sha256')
      .update(readFileSync(new URL('provenance.tsv', MODELS)))
      .digest('hex')
    expect(file.length).toBeLessThan(4_000_000)
    expect(readWeights(file).provenanceSha256).toBe(provenance)
  })

  test('is read back as written', () => {
    const file = shipped()
    expect(writeWeights(readWeights(file)).equals(file)).toBe(true)
  })

  test.for<[string, (file: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut', (file) => file.subarray(0, file.length / 2)],
    ['changed in one bit', (file) => file.fill((file[1_000_000] ?? 0) ^ 1, 1_000_000, 1_000_001)],
    ['of another kind', () => Buffer.from('{"model":"another"}'.repeat(10))],
  ])('is rejected when it is %s', ([, damage]) => {
    expect(() => load(damage(shipped()))).toThrow(DamagedWeightsError)
  })

  test('is rejected with dimensions other than those of the index', () => {
    const small = { ...readWeights(shipped()), dimensions: EMBEDDING_DIMENSIONS / 2 }
    const rows = small.rows.subarray(0, small.rows.length / 2)
    expect(() => load(writeWeights({ ...small, rows }))).toThrow('dimensions differ')
  })
})
