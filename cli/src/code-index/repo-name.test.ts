import { expect, test } from 'vitest'
import { nameOfRemote } from './repo-name.ts'

test.for([
  ['git@github.com:acme/shop.git', 'acme/shop'],
  ['https://github.com/acme/shop', 'acme/shop'],
  ['https://ada:token@github.com/acme/shop.git/', 'acme/shop'],
  ['ssh://git@ssh.github.com:443/acme/shop.git', 'acme/shop'],
  ['https://gitlab.com/acme/pay/shop.git', 'gitlab.com/acme/pay/shop'],
  ['git@gitlab.com:acme/shop.git', 'gitlab.com/acme/shop'],
  ['git@Git.Example.com:shop.git', 'git.example.com/shop'],
] as const)('a clone of %s is indexed as %s', ([url, name]) => {
  expect(nameOfRemote(url)).toBe(name)
})

test.for([
  '/srv/git/shop.git',
  '../shop',
  'C:\\work\\shop',
  'file:///srv/shop.git',
  '',
  'https://github.com/',
])('the remote "%s" has no repository name', (url) => {
  expect(nameOfRemote(url)).toBeUndefined()
})

test('a long name is shortened to 200 characters and stays unique', () => {
  const [one, other] = ['a', 'b'].map((end) =>
    nameOfRemote(`https://github.com/acme/${'x'.repeat(300)}${end}`),
  )
  expect([one?.length, other?.length]).toEqual([200, 200])
  expect(one).not.toBe(other)
})
