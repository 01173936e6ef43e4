import { measureAsyncCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRepository, type TestRepository } from '../../test/repository.ts'
import { attachFile, attachImage, attachmentsIn } from './attachments.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let repo: TestRepository
beforeEach(() => {
  repo = makeRepository()
  repo.write({
    'src/a.ts': 'export const a = 1\n',
    'my notes.md': 'notes\n',
    '.env': 'PASSWORD=hunter2hunter2\n',
    'keys.ts': `const key = "ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}"\n`,
    'shot.png': PNG,
    'my shot.png': PNG,
    'fake.jpg': 'no image',
  })
})
afterEach(() => repo.remove())

const names = async (text: string) => {
  const { attachments, notes } = await attachmentsIn(text, repo.root)
  return { names: attachments.map(({ name }) => name), notes }
}

test('files after "@" are attached, and other words with "@" are left alone', async () => {
  const { attachments } = await attachmentsIn(
    'Explain @src/a.ts, not @types/node or ada@example.com',
    repo.root,
  )
  expect(attachments).toEqual([{ name: 'src/a.ts', content: 'export const a = 1\n' }])
  expect((await names('see @"my notes.md" and @src/a.ts @src/a.ts')).names).toEqual([
    'my notes.md',
    'src/a.ts',
  ])
})

test('a name that looks like a file and is none is named', async () => {
  expect(await names('Fix @src/missing.ts, and ask @ada.')).toEqual({
    names: [],
    notes: ['src/missing.ts is not attached: there is no such file here.'],
  })
})

test('paths of images are attached: plain, quoted, escaped, or as a file address', async () => {
  for (const text of [
    'look at shot.png',
    `"${repo.root}/my shot.png"`,
    `${repo.root}/my\\ shot.png `,
    `file://${repo.root}/shot.png`,
    '@shot.png',
  ])
    expect((await attachmentsIn(text, repo.root)).attachments, text).toEqual([
      { name: expect.stringMatching(/shot\.png$/), mediaType: 'image/png', data: PNG.toString('base64') },
    ])
  expect(await names('There is no missing.png')).toEqual({ names: [], notes: [] })
})

test('a long text without spaces is examined at once', async () => {
  const long = `${'x'.repeat(150_000)}.png `.repeat(2) + '.png'.repeat(30_000)
  const find = async () => expect((await attachmentsIn(long, repo.root)).attachments).toEqual([])
  expect(await measureAsyncCost(find)).toBeLessThan(2_000)
})

test('secrets and files that only look like images are left out with a note', async () => {
  const { names: attached, notes } = await names('@.env @keys.ts fake.jpg @../outside.txt')
  expect(attached).toEqual([])
  expect(notes.join('\n')).toMatch(/\.env is not attached: it is never sent/)
  expect(notes.join('\n')).toMatch(/keys\.ts is not attached: line 1 looks like a secret/)
  expect(notes.join('\n')).toMatch(/fake\.jpg is not attached: it is not a PNG/)
})

test('options name files exactly, and refuse what cannot be attached', async () => {
  expect(await attachFile(repo.root, `${repo.root}/src`, 'a.ts')).toMatchObject({ name: 'src/a.ts' })
  expect(await attachImage(repo.root, 'shot.png')).toMatchObject({ mediaType: 'image/png' })
  expect(await attachFile(repo.root, repo.root, '/etc/hostname')).toMatchObject({ refused: /outside/ })
  expect(await attachImage(repo.root, 'none.png')).toEqual({ refused: 'There is no file none.png.' })
})
