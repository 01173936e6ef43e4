// Texts of pull requests, and names of branches.
import { describe, expect, test } from 'vitest'
import type { TurnVerification } from '../verify/types.ts'
import { defaultBranchName, requireBranchName } from './branch-name.ts'
import {
  type PullRequestText,
  replaceSection,
  wrapSection,
  writeCommitMessage,
  writePullRequestBody,
} from './pull-request-text.ts'

const URL = 'https://cowrie.example/app/tasks/tsk_1'
const run = { exitCode: 1, passed: 3, failed: 1, durationMs: 10, isEnded: true }
const VERIFIED: TurnVerification = {
  verified: true,
  command: 'npm test',
  commandFrom: 'detected',
  reason: 'failed_before_passes_now',
  before: run,
  after: { ...run, exitCode: 0, passed: 4, failed: 0 },
  excerpt: '',
  dependencies: { state: 'ready' },
}
const TEXT: PullRequestText = {
  summary: 'Fixes `sum(a, b)`:\n- adds instead of subtracting\n\nAll callers stay as they are.',
  costMinor: 120n,
  currency: 'NGN',
  turns: 2,
  verification: VERIFIED,
  withheld: [{ path: '.env', line: 2, reason: 'secret_file' }],
  skipped: [{ path: 'vendor/lib', reason: 'submodule' }],
  url: URL,
}

test('the body has the summary, the evidence, what is missing, the cost and the link', () => {
  expect(writePullRequestBody(TEXT)).toBe(
    [
      'Fixes `sum(a, b)`:',
      '- adds instead of subtracting',
      'All callers stay as they are.',
      '### Evidence',
      'Verified: the tests failed before this change and pass with it.',
      '- Command: `npm test`\n- Before: 3 passed, 1 failed, exit code 1\n- After: 4 passed, 0 failed, exit code 0',
      '### Withheld from the model',
      '- `.env:2`: secret file',
      '### Not part of the workspace',
      '- `vendor/lib`: submodule',
      `This task cost ₦1.20 so far, in 2 turns. [Open the task in Cowrie](${URL}).`,
    ].join('\n\n'),
  )
})

test('without evidence it names that', () => {
  const bare = { ...TEXT, withheld: [], skipped: [], turns: 1 }
  expect(writePullRequestBody({ ...bare, verification: null })).toContain('Not verified: no tests ran.')
  expect(writePullRequestBody({ ...bare, verification: null, isOutdated: true })).toContain(
    'Not verified: the files changed after the tests ran.',
  )
  const stopped = { ...VERIFIED, verified: false, reason: 'timed_out' as const, before: null }
  const after = { ...run, exitCode: null, passed: 0, failed: 0, isEnded: false }
  const body = writePullRequestBody({ ...bare, verification: { ...stopped, after } })
  expect(body).toContain('Not verified: the tests took too long.')
  expect(body).toContain('- After: no test counts, ended by a limit')
  expect(body).not.toMatch(/Withheld|workspace|1 turns/)
})

test('text of models and repositories creates no mentions, links, images, tags or marks', () => {
  const attack =
    '@everyone ![x](https://evil.example/p.png) <img src=x> closes #12 <!-- /cowrie:task --> www.evil.example\n# head'
  const code = 'a`b@c`'
  const body = writePullRequestBody({
    ...TEXT,
    summary: `${attack}\n- ${attack}`,
    verification: { ...VERIFIED, command: code, detail: attack },
    withheld: [{ path: `${attack}\`\n`, reason: attack }],
    skipped: [{ path: attack, reason: 'link' }],
  })
  const prose = body.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '').replace(URL, '')
  expect(prose).not.toMatch(/@\w|(?<!\\)[<>!]|:\/\/|www\.|(?<![\\#])#\d|^# /m)
  expect(wrapSection(body).match(/<!-- \/cowrie:task -->/g)).toHaveLength(1)
  expect(
    writePullRequestBody({ ...TEXT, summary: 'x'.repeat(5_000).concat('\n').repeat(100) }).length,
  ).toBeLessThan(61_000)
})

test('our section is replaced, and marks inside of it are removed', () => {
  const wrapped = `before ${wrapSection('one <!-- /cowrie:task -->')} after`
  expect(replaceSection(wrapped, 'two')).toBe(`before ${wrapSection('two')} after`)
  expect(replaceSection('written by a person', 'two')).toBe('written by a person')
})

describe('a commit message', () => {
  test('has a short subject, the summary, and the link as its last paragraph', () => {
    const title = 'Fix the sum of two numbers in the shop and in all of the reports that show it'
    const message = writeCommitMessage({
      title,
      summary: 'It was a difference.\n\n\n\nNow it is a sum.',
      url: URL,
    })
    const [subject = '', ...rest] = message.split('\n\n')
    expect(subject).toBe('Fix the sum of two numbers in the shop and in all of the reports that…')
    expect(subject.length).toBeLessThanOrEqual(72)
    expect(rest).toEqual(['It was a difference.', 'Now it is a sum.', `Task: ${URL}`])
  })

  test('closes no issue, mentions no user, skips no checks and has no trailers', () => {
    const summary =
      'Fixes #12, closes octo/pay#3 and GH-4 for @ada [skip ci] [ci skip]\n\nAcked-by: Eve <e@x.example>'
    const message = writeCommitMessage({ title: 'Fix #12\nfor @ada [no ci]', summary, url: URL })
    expect(message).not.toMatch(/#\d|GH-\d|@\w|\[(skip|ci|no)/)
    expect(message.split('\n\n').at(-1)).toBe(`Task: ${URL}`)
    expect(writeCommitMessage({ title: ' ', summary: '', url: URL })).toBe(`Change files\n\nTask: ${URL}`)
  })
})

describe('a branch name', () => {
  const id = 'tsk_00000000000000000000abc123'
  test.for([
    ['Fix the Sum!', 'cowrie/fix-the-sum-abc123'],
    ['Réparer l’addition', 'cowrie/reparer-l-addition-abc123'],
    ['修复', 'cowrie/task-abc123'],
    [`${'long '.repeat(30)}`, 'cowrie/long-long-long-long-long-long-long-long-abc123'],
  ])('for the title %s is %s', ([title = '', expected]) => {
    const name = defaultBranchName({ id, title })
    expect(name).toBe(expected)
    expect(requireBranchName(name)).toBe(name)
  })

  test.for(['feature/x', 'a.b', 'über', 'a-b_c+d=e', 'a@b'])('may be %s', (name) => {
    expect(requireBranchName(name)).toBe(name)
  })

  test.for([
    ...[
      '',
      ' ',
      'a b',
      '-a',
      '/a',
      'a/',
      'a//b',
      '.a',
      'a/.b',
      'a..b',
      'a.',
      'a.lock',
      'a.lock/b',
      'a~1',
      'a^',
      'a:b',
    ],
    ...[
      'a?',
      'a*',
      'a[b',
      'a\\b',
      '@',
      'a@{1}',
      'HEAD',
      'refs/heads/a',
      'a\nb',
      'a\u200bb',
      'a\ud800',
      'c'.repeat(40),
    ],
    ...['x'.repeat(201)],
  ])('may not be %j', (name) => {
    expect(() => requireBranchName(name)).toThrow(expect.objectContaining({ code: 'invalid_fields' }))
  })
})
