// Secrets in a loop: in its files, in its test output, and in every turn.

import {
  answer,
  change,
  type LoopTestServer,
  runToEnd,
  startLoopServer,
  textOf,
} from '@cowrie/testkit/agent/loop.ts'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toJson } from '../../kernel/json.ts'

let loops: LoopTestServer
beforeAll(async () => {
  loops = await startLoopServer()
})
afterAll(() => loops.close())

const KEY = planted('github').secret
const PASSWORD = planted('named-password').secret

test('no turn of a loop reads a secret from files or test output, and the tests still see it', async () => {
  const who = await loops.customer()
  loops.upstream.script(
    answer(change('word.txt', 'bad', 'worse')),
    answer(change('word.txt', 'worse', 'good'), change('call.sh', '# call', '# call it')),
  )
  const call = `# call\ncurl -H "authorization: token ${KEY}" https://api.shop.io\n`
  const { frames, last } = await runToEnd(loops.address, who, {
    prompt: 'Let there be a good word.',
    context: [
      { path: 'word.txt', content: 'bad\n' },
      { path: 'call.sh', content: call },
      { path: '.env', content: `DB_PASSWORD=${PASSWORD}\n` },
      { path: 'check.sh', content: 'cat call.sh\ncut -d= -f2 .env\ngrep -q good word.txt\n' },
    ],
    sandbox: 'local',
    testCmd: 'sh check.sh',
  })
  expect(last).toMatchObject({ verified: true, iterations: 2 })
  expect(loops.upstream.requests).toHaveLength(2)
  const read = loops.upstream.requests.map(textOf).join('\n')
  for (const secret of [KEY, PASSWORD]) {
    expect(read).not.toContain(secret)
    expect(toJson(frames.filter((frame) => 'step' in frame))).not.toContain(secret)
  }
  expect(last?.result.withheld).toEqual(
    expect.arrayContaining([
      { path: '.env', reason: 'file that holds secrets' },
      { path: 'call.sh', line: 2, reason: 'GitHub token' },
      { path: 'test output', reason: 'GitHub token' },
    ]),
  )
  const edited = last?.result.edits.find(({ path }) => path === 'call.sh')
  expect(edited?.content).toBe(call.replace('# call', '# call it'))
})
