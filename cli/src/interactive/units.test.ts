import { expect, test } from 'vitest'
import { totalsOf } from './changes.ts'
import { fileSuggestions } from './complete.ts'
import { exitOf } from './exec/result.ts'
import { compareAddress } from './slash/pull-request.ts'
import { isSlashCommand } from './slash/table.ts'
import { balanceText, shortMoney, sizeText } from './units.ts'

const NAIRA = { symbol: '₦', minorUnit: 100 }

test('amounts and sizes are short, and a balance is never rounded up', () => {
  expect([shortMoney(1_240n, NAIRA), shortMoney(50_000n, NAIRA)]).toEqual(['₦12.40', '₦500'])
  expect([balanceText(421_099n, NAIRA), balanceText(99_950n, NAIRA)]).toEqual(['₦4,210', '₦999.50'])
  expect([0, 999, 3_120, 18_400, 999_700, 12_300_000].map(sizeText)).toEqual([
    '0 B',
    '999 B',
    '3.1 kB',
    '18 kB',
    '1.0 MB',
    '12 MB',
  ])
})

test('changes of a file are added up', () => {
  const patch = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-one\n+two\n+three\n'
  const created = '--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+x\n'
  expect(
    totalsOf([
      { path: 'a.ts', patch },
      { path: 'n.ts', patch: created },
      { path: 'a.ts', patch },
    ]),
  ).toEqual([
    { path: 'a.ts', action: 'update', addedLines: 4, removedLines: 2 },
    { path: 'n.ts', action: 'create', addedLines: 1, removedLines: 0 },
  ])
})

test('a path is no slash command', () => {
  expect(['/cost', '/budget 500', '/pr\nnow'].map(isSlashCommand)).toEqual([true, true, true])
  expect(['/usr/bin/node fails', 'cost', '/ cost', '/Cost'].map(isSlashCommand)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('files are suggested by their start, then by their name, then by any part', () => {
  const paths = ['docs/pay.md', 'src/pay.ts', 'pay/a.ts', 'src/repay.ts', 'my pay.ts']
  expect(fileSuggestions(paths, 'pay').map(({ text }) => text)).toEqual([
    '@pay/a.ts',
    '@src/pay.ts',
    '@docs/pay.md',
    '@"my pay.ts"',
    '@src/repay.ts',
  ])
})

test.for([
  ['git@github.com:ada/kobo.git', 'https://github.com/ada/kobo/compare/main...cowrie/fix-a?expand=1'],
  ['https://user:pw@github.com/ada/kobo', 'https://github.com/ada/kobo/compare/main...cowrie/fix-a?expand=1'],
  [
    'ssh://git@gitlab.example.org:2222/ada/kobo.git',
    'https://gitlab.example.org/ada/kobo/-/merge_requests/new?merge_request%5Bsource_branch%5D=cowrie%2Ffix-a',
  ],
  ['/srv/git/kobo.git', null],
  ['https://evil.example/\x1b[2J', null],
] as const)('the address for a pull request of %s', ([remote, address]) => {
  expect(compareAddress(remote, 'main', 'cowrie/fix-a')).toBe(address)
})

test.for([
  ['completed', null, false, 0],
  ['completed', true, false, 0],
  ['completed', false, false, 10],
  ['completed', null, true, 6],
  ['completed', true, true, 0],
  ['completed', false, true, 10],
  ['stopped', null, true, 2],
  ['budget_reached', false, false, 5],
  ['policy', null, false, 6],
  ['upstream_failed', null, false, 7],
  ['no_progress', null, false, 1],
] as const)(
  'exec ends after %s, verified %s, declined %s, with exit code %d',
  ([stopReason, verified, isDeclined, exit]) => {
    expect(exitOf({ stopReason }, { verified, isDeclined })).toBe(exit)
  },
)
