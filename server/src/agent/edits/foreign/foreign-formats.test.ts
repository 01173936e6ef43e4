import { confusions, formatBase, formats, illustrations } from '@cowrie/testkit/agent/foreign-formats.ts'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { parseAnswer } from '../../run/answer.ts'
import { intendsEdits } from '../reader/edit-intent.ts'

const read = async (text: string, files: ReadonlyMap<string, string> = formatBase) => {
  const context = { included: [...files.keys()], omitted: [] }
  const answer = await parseAnswer(files, context, '7f3a9c12', { text, finish: 'stop' })
  return { ...answer, changes: Object.fromEntries(answer.edits.map(({ path, content }) => [path, content])) }
}

describe('a common format is read', () => {
  test.for(formats)('%s', async ([, text, changes, files]) => {
    const { changes: found, failures } = await read(text, files)
    expect({ found, failures }).toEqual({ found: changes, failures: [] })
  })

  test.for(formats)('with CRLF: %s', async ([, text, changes, files]) => {
    expect((await read(text.replaceAll('\n', '\r\n'), files)).changes).toEqual(changes)
  })

  test.for(formats)('after reasoning in the same format: %s', async ([, text, changes, files]) => {
    expect((await read(`<think>\n${text}\n</think>\n${text}`, files)).changes).toEqual(changes)
  })
})

test.for(illustrations)('an illustration is not an edit: %s', async ([, text, files]) => {
  expect((await read(text, files)).envelope.blocks).toEqual([])
})

test.for(confusions)(
  'a text in its own notation is read correctly or rejected: %s',
  async ([, text, changes]) => {
    const { edits, failures, changes: found } = await read(text)
    const isRefused = edits.length === 0 && failures.length > 0
    expect(isRefused ? 'refused' : found).toEqual(Object.keys(changes).length === 0 ? 'refused' : changes)
  },
)

test.for(formats)('no truncated answer writes a part of a file: %s', async ([, text, changes, files]) => {
  for (let at = 0; at < text.length; at += 7) {
    const { changes: found } = await read(text.slice(0, at), files)
    for (const [path, content] of Object.entries(found))
      expect([path, content]).toEqual([path, changes[path]])
  }
})

test('the plan and the summary of a JSON answer are kept', async () => {
  const edits = [{ path: 'src/add.js', find: '  return a - b', with: '  return a + b' }]
  const said = { plan: ['1. Look.', '2. Fix.'], edits, summary: 'It adds now.' }
  const { envelope } = await read(`Sure.\n\`\`\`json\n${JSON.stringify(said)}\n\`\`\``)
  expect(envelope).toMatchObject({ plan: '1. Look.\n2. Fix.', summary: 'It adds now.', blocks: [{}] })
})

test('a JSON answer without edits is accepted', async () => {
  const { envelope, failures } = await read(
    '{"plan": "1. Look.", "edits": [], "summary": "It adds already."}',
  )
  expect(envelope).toMatchObject({ plan: '1. Look.', summary: 'It adds already.', blocks: [], warnings: [] })
  expect(failures).toEqual([])
})

test('hostile prose is parsed in bounded time', () => {
  const envelope = (summary: string) => ({
    ...{ plan: '', summary, blocks: [], broken: [] },
    warnings: ['no_edits_parsed'],
  })
  for (const piece of ['\n', '* ', '```a\nx\n```\n', 'I fixed ', 'add: ', '"edits" ', '[[ FILE ']) {
    const look = () => intendsEdits(envelope(piece.repeat(200_000)), formatBase)
    expect(measureCost(look), piece).toBeLessThan(2_000)
  }
})
