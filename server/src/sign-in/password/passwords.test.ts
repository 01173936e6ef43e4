import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { checkPassword, hashPassword, hasLengthBetween, isOutdated, verifyPassword } from './passwords.ts'

/** As customers have it. */
const LIVE = { config: { environment: 'production' } } as const
const TESTS = { config: { environment: 'test' } } as const
const ADA = 'ada.lovelace@example.com'

describe('a password is refused', () => {
  test.for([
    ['when it is short', '1234567'],
    ['when it is short as people count, however many bytes it has', '🐚'.repeat(7)],
    ['when it is long', 'x y'.repeat(43)],
    ['when it is among the most common ones', 'password1'],
    ['when it is common but for its case', 'PassWord123'],
    ['when it is one character over and over', 'ßßßßßßßßßßß'],
    ['when it is the product’s name with something around it', '!Cowrie2026'],
    ['when it is the product’s name twice', 'cowrieCowrie'],
    ['when it is their address', 'ada.lovelace@example.com'],
    ['when it is their address in capitals', 'ADA.LOVELACE@EXAMPLE.COM'],
    ['when it is the first part of their address', 'ada.lovelace'],
    ['when it is the first part of their address and a year', 'Ada.Lovelace1815'],
    ['when it is a word of their address and a year', 'Lovelace1815'],
    ['when it is the name of their domain', 'example2026!'],
    ['when it is the alphabet', 'abcdefgh'],
    ['when it is the alphabet backwards', 'hgfedcba'],
    ['when it is two sequences', 'abcd6789'],
    ['when it is a row of keys', 'asdfghjkl;'],
    ['when it is columns of keys', '3edc4rfv'],
    ['when it is a few characters over and over', 'naijnaijnaij'],
    ['when it is a country and a number', 'nigeria1'],
    ['when it is a city and a year', 'lagos2026'],
    ['when it is a city in two words', 'Cape Town 27'],
    ['when it is a city and its country', 'LagosNigeria1'],
    ['when it is a country in the dress of a word', 'N1ger1a!!'],
    ['when it is the product and a country', 'cowriekenya'],
    ['when its letters are wide', 'ｌａｇｏｓ２０２６'],
  ] as const)('%s', ([, password]) => {
    expect(() => checkPassword(password, ADA)).toThrow(
      expect.objectContaining({
        code: 'weak_password',
        detail: { fields: [{ path: 'password', message: expect.any(String) }] },
      }),
    )
  })
})

// Each is a variant of a common password.
test.for([
  'Password1!',
  'P@ssw0rd2026',
  'P@$$w0rd',
  'pa55w0rd!!',
  'PASSWORD-2026',
  '123Password',
  'Welcome1!',
  'Qwerty123!',
  'Summer2026!',
  'Admin123!',
  '@dmin1234',
  '$unshine1',
  'L3tm31n!!',
  'Abc12345!',
  '12345678!',
  '1q2w3e4r!',
  'C0wrie2026!',
  'ada.l0velace#1',
])('%s is as common as what it stands for', (password) => {
  expect(() => checkPassword(password, ADA)).toThrow(expect.objectContaining({ code: 'weak_password' }))
})

test.for([
  'password manager on the shelf',
  'correct horse battery staple',
  'sunshine and rain',
  'my dragon sleeps',
  'Welcome to Lagos 2026!',
  'passport-photo-17',
  'the1password',
  '!!??!!??',
  'abq83125',
  'a5938204',
])('%s is not: a common word in it is not all of it', (password) => {
  expect(() => checkPassword(password, ADA)).not.toThrow()
})

test.for([
  ['eight characters', 'x7 Kq!dv'],
  ['eight characters outside the plane that two bytes reach', '🐚🐙🦀🦐🐠🐡🦈🐳'],
  ['128 of them', '🐚🐙'.repeat(64)],
  ['spaces at its ends and nothing but words', '  pelicans in April  '],
  ['the product’s name in a sentence', 'a cowrie on the beach'],
] as const)('a password may have %s', ([, password]) => {
  expect(() => checkPassword(password, ADA)).not.toThrow()
})

test('counting stops early for very long input', () => {
  expect(hasLengthBetween('x'.repeat(1_000_000), 8, 128)).toBe(false)
  expect(hasLengthBetween('x'.repeat(128), 8, 128)).toBe(true)
  expect(hasLengthBetween('x'.repeat(129), 8, 128)).toBe(false)
})

describe('a hash', () => {
  test('is argon2id with the current parameters, and differs for the same password', async () => {
    const [first, second] = await Promise.all([
      hashPassword(LIVE, 'pelicans'),
      hashPassword(LIVE, 'pelicans'),
    ])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
    expect(isOutdated(LIVE, first)).toBe(false)
  })

  test('is cheap only in the test environment', async () => {
    expect(await hashPassword(TESTS, 'pelicans')).toMatch(/\$m=64,t=1,p=1\$/)
    expect(isOutdated(LIVE, await hashPassword(TESTS, 'pelicans'))).toBe(true)
    for (const environment of ['production', 'development'] as const)
      expect(await hashPassword({ config: { environment } }, 'pelicans')).toMatch(/\$m=19456,t=2,p=1\$/)
  })

  test.for([
    ['a NUL and what follows it', 'pelicans', 'pelicans\0x'],
    ['a space at the end', 'pelicans', 'pelicans '],
    ['the 73rd character', `${'p'.repeat(72)}a`, `${'p'.repeat(72)}b`],
    ['the way an accent is written', 'caf\u00e9 latte', 'cafe\u0301 latte'],
    ['case', 'pelicans', 'Pelicans'],
    ['one shell of many', '🐚'.repeat(128), '🐚'.repeat(127)],
  ] as const)('tells passwords apart by %s', async ([, password, other]) => {
    const stored = await hashPassword(LIVE, password)
    expect(await verifyPassword(LIVE, stored, password)).toBe(true)
    expect(await verifyPassword(LIVE, stored, other)).toBe(false)
  })

  test('of fewer rounds or less memory is outdated', async () => {
    for (const weaker of [{ timeCost: 1 }, { memoryCost: 8_192 }, { algorithm: 1 }]) {
      const stored = await hash('pelicans', { algorithm: 2, memoryCost: 19_456, timeCost: 2, ...weaker })
      expect(isOutdated(LIVE, stored)).toBe(true)
      expect(await verifyPassword(LIVE, stored, 'pelicans')).toBe(true)
    }
  })
})

test('no password matches an account without one', async () => {
  expect(await verifyPassword(LIVE, null, '')).toBe(false)
  expect(await verifyPassword(LIVE, null, 'pelicans')).toBe(false)
})

test('two are hashed at a time and 32 wait; others fail at once and are not counted', async () => {
  let admitted = 0
  let inside = 0
  let most = 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, () =>
      verifyPassword(LIVE, null, 'pelicans', async () => {
        admitted++
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside--
      }),
    ),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(60 - 34)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'busy', status: 503, retryAfter: 2 })
  expect(admitted).toBe(34)
  expect(most).toBeLessThanOrEqual(2)
  expect(await verifyPassword(LIVE, null, 'afterwards there is room again')).toBe(false)
})
