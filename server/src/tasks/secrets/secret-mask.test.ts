import { FORMAT_IDS, planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { pickOne, seeded } from '@cowrie/testkit/harness/seeded.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { createTestMask, TEST_OWNER } from '@cowrie/testkit/tasks/memory-workspace.ts'
import { mayOverlapPlaceholder, placeholdersIn } from '@cowrie/workspace/secrets/placeholders.ts'
import { describe, expect, test } from 'vitest'
import { createSecretMask } from './secret-mask.ts'

const KEY = planted('paystack-live').secret
const CONFIG = `export const name = 'shop'\nexport const key = '${KEY}'\n`

const hidden = async (mask = createTestMask()) => (await mask.hide('src/config.js', CONFIG)).text

describe('hide', () => {
  test('replaces a value by a placeholder and reports its line', async () => {
    const mask = createTestMask()
    const { text, withheld } = await mask.hide('src/config.js', CONFIG)
    expect(text).toMatch(/^export const name = 'shop'\nexport const key = 'WITHHELD_SECRET_[0-9a-f]{12}_'\n$/)
    expect(withheld).toEqual([{ path: 'src/config.js', line: 2, reason: 'Paystack live secret key' }])
    expect(mask.withheld).toEqual(withheld)
  })

  test('gives a value the same placeholder in every mask of a task, and another in another task', async () => {
    expect(await hidden(createTestMask())).toBe(await hidden(createTestMask()))
    expect(await hidden(createTestMask([], 'another nonce'))).not.toBe(await hidden())
  })

  test('never shows a file that holds secrets, and hides its values elsewhere', async () => {
    const mask = createTestMask()
    const env = await mask.hide('.env', 'PORT=8080\nDB_PASSWORD=hunter2x\nAPP=shop\n')
    expect(env).toMatchObject({
      isWithheld: true,
      withheld: [{ path: '.env', reason: 'file that holds secrets' }],
    })
    expect(env.text).not.toContain('hunter2x')
    const { text, withheld } = await mask.hide('notes.md', 'port 8080 of shop, log in with hunter2x\n')
    expect(text).toMatch(/^port 8080 of shop, log in with WITHHELD_SECRET_\w+_\n$/)
    expect(withheld).toEqual([{ path: 'notes.md', line: 1, reason: 'value of a secret in another file' }])
  })

  test('shows a file that the caller allowed, and hides its values in outputs', async () => {
    const mask = createTestMask(['src/config.js', '.env'])
    expect(await hidden(mask)).toBe(CONFIG)
    expect(mask.isWithheldFile('.env')).toBe(false)
    expect((await mask.hide('.env', 'A=b\n')).text).toBe('A=b\n')
    expect((await mask.hideOutput('output of run', `debug: ${KEY}`)).text).not.toContain(KEY)
    expect((await mask.hide('other.js', CONFIG)).text).not.toContain(KEY)
  })

  test.for(FORMAT_IDS)('hides %s in a file, and where a command prints it', async (id) => {
    const { text, secret } = planted(id, 3)
    const mask = createTestMask()
    const file = await mask.hide('notes.txt', `a\n${text}\nb\n`)
    const output = await mask.hideOutput('output of run', `got ${secret.split('\n').join('\ngot ')}`)
    expect(file.withheld).toHaveLength(1)
    expect(file.text.split('\n')).toHaveLength(`a\n${text}\nb\n`.split('\n').length)
    for (const word of secret.split(/\s+/).filter(({ length }) => length >= 8)) {
      expect(file.text).not.toContain(word)
      expect(output.text).not.toContain(word)
    }
  })

  test('hides the usual encodings of a known value in an output', async () => {
    const mask = createTestMask()
    await mask.learn('src/config.js', CONFIG)
    const bytes = Buffer.from(KEY)
    const forms = [
      ...[0, 1, 2].map((shift) =>
        Buffer.concat([Buffer.from('abc').subarray(0, shift), bytes]).toString('base64'),
      ),
      bytes.toString('hex'),
      [...KEY].reverse().join(''),
    ]
    for (const form of forms) {
      const { text } = await mask.hideOutput('output of run', `> ${form} <`)
      expect(text.length).toBeLessThan(`> ${form} <`.length + 40)
      expect(text).not.toContain(form.slice(4, -4))
    }
  })

  test('withholds a whole text that cannot be checked in time', async () => {
    const mask = createSecretMask({ nonce: 'n', owner: TEST_OWNER, allowedPaths: new Set(), timeoutMs: 1 })
    const long = `${CONFIG}${'const filler = 1 // token secret key password\n'.repeat(40_000)}`
    const { text, withheld, isWithheld } = await mask.hide('big.js', long)
    expect({ text, isWithheld }).toEqual({
      text: '[withheld: could not be checked for secrets]',
      isWithheld: true,
    })
    expect(withheld).toEqual([{ path: 'big.js', reason: 'could not be checked for secrets' }])
    expect(await mask.restore('WITHHELD_SECRET_0123456789ab_', long)).toHaveProperty('problem')
  })

  test('names a file with many secrets once', async () => {
    const mask = createTestMask()
    const lines = Array.from({ length: 9 }, (_, i) => planted('github', i).text)
    expect((await mask.hide('keys.txt', lines.join('\n'))).withheld).toEqual([
      { path: 'keys.txt', reason: '9 lines with secrets' },
    ])
    await mask.hide('keys.txt', ['', ...lines].join('\n'))
    expect(mask.withheld).toHaveLength(1)
  })
})

describe('restore', () => {
  test('refuses the placeholder of a value that is not in the file', async () => {
    const mask = createTestMask()
    const [placeholder = ''] = placeholdersIn(await hidden(mask))
    expect(await mask.restore(`x = '${placeholder}'`, 'other text')).toEqual({
      problem: expect.stringContaining('not in this file'),
    })
    expect(await mask.restore(`x = '${placeholder}'`, CONFIG)).toEqual({ text: `x = '${KEY}'` })
  })

  test('works in a fresh mask, as after a resume on another replica', async () => {
    const text = await hidden()
    expect(await createTestMask().restore(text, CONFIG)).toEqual({ text: CONFIG })
  })

  test('leaves text alone that only looks like a placeholder', async () => {
    const home = `const a = 'WITHHELD_SECRET_0123456789ab_'\n`
    expect(await createTestMask().restore(home, home)).toEqual({ text: home })
  })

  test('restores a value that only another file shows to be a secret', async () => {
    const [home, mask] = ['login with hunter2x\n', createTestMask()]
    await mask.learn('.env', 'PASSWORD=hunter2x\n')
    const { text } = await mask.hide('notes.md', home)
    expect(text).not.toContain('hunter2x')
    expect(await mask.restore(text, home)).toEqual({ text: home })
    const resumed = createTestMask()
    expect(await resumed.restore(text, home)).toHaveProperty('problem')
    await resumed.learn('.env', 'PASSWORD=hunter2x\n')
    expect(await resumed.restore(text, home)).toEqual({ text: home })
  })

  test('gives back every text that was hidden, whatever secrets it has and where they stand', async () => {
    const random = seeded(26)
    const glue = [' ', '\n', "'", '"', '`', ', ', ' = ', '\t', 'é', '🙂', '\r\n', '// ', '{', '}']
    for (let round = 0; round < rounds(40, 150); round++) {
      const parts = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
        const id = pickOne(random, FORMAT_IDS) ?? ''
        const secret = planted(id, Math.floor(random() * 3))
        return pickOne(random, [secret.text, secret.secret, 'word', `x${Math.floor(random() * 1e6)}`]) ?? ''
      })
      const home = parts.map((part) => part + (pickOne(random, glue) ?? '')).join('')
      const { text } = await createTestMask().hide('a.txt', home)
      expect(await createTestMask().restore(text, home)).toEqual({ text: home })
      const again = await createTestMask().hide('a.txt', text)
      expect(again.text, 'a masked text has no secrets').toBe(text)
    }
  })
})

test.for<[string, boolean]>([
  ['function', false],
  ['import', false],
  ['WITHHELD_SECRET_12', true],
  ["key = 'WITH", true],
  ['decade', true],
  ['ab_ + x', true],
  ['xab_', false],
  ['', true],
])('knows that %j can overlap a placeholder: %s', ([text, expected]) => {
  expect(mayOverlapPlaceholder(text)).toBe(expected)
})
