import { describe, expect, test } from 'vitest'
import { databaseNameIn, parseConnectionUrl, withDatabase } from './connection-url.ts'
import { readConnectionSettings } from './driver/connection-settings.ts'

describe('a connection URL', () => {
  test('may name a socket folder', () => {
    expect(parseConnectionUrl('postgres://me@localhost:5433/app?host=%2Ftmp%2Fsocket%20dir')).toEqual({
      hosts: [{ host: '/tmp/socket dir', port: 5433 }],
      user: 'me',
      password: '',
      database: 'app',
      parameters: new Map(),
    })
  })

  test('may name several hosts and session parameters', () => {
    const url = 'postgres://me:p%40ss@one:5432,two:5433,three/app?sslmode=require&application_name=a%20b'
    expect(parseConnectionUrl(url)).toEqual({
      hosts: [
        { host: 'one', port: 5432 },
        { host: 'two', port: 5433 },
        { host: 'three', port: 5432 },
      ],
      user: 'me',
      password: 'p@ss',
      database: 'app',
      parameters: new Map([
        ['sslmode', 'require'],
        ['application_name', 'a b'],
      ]),
    })
  })

  test('may turn off prepared statements for PgBouncer', () => {
    const options = { connectTimeoutMs: 1, silenceMs: 1, session: {} }
    expect(readConnectionSettings('postgres://me@pool/app?prepare=false', options)).toMatchObject({
      prepare: false,
      startup: { user: 'me', database: 'app' },
    })
    expect(readConnectionSettings('postgres://me@pool/app', options).prepare).toBe(true)
  })

  test.for([
    ['[::1]:5433', { host: '::1', port: 5433 }],
    ['[fe80::1]', { host: 'fe80::1', port: 5432 }],
    ['%2Ftmp%2Ffolder', { host: '/tmp/folder', port: 5432 }],
    ['%2Ftmp%2Fname%2C%20with%20%22signs%22', { host: '/tmp/name, with "signs"', port: 5432 }],
    ['', { host: 'localhost', port: 5432 }],
  ] as const)('reads the host %j', ([host, expected]) => {
    expect(parseConnectionUrl(`postgres://me@${host}/app`).hosts).toEqual([expected])
  })

  test('that is malformed is rejected with an example', () => {
    expect(() => parseConnectionUrl('localhost')).toThrow('postgres://user:password@host:5432/database')
  })

  test('can be changed to another database of the same server', () => {
    expect(withDatabase('postgres://me@localhost:5432/postgres?host=%2Ftmp', 'other')).toBe(
      'postgres://me@localhost:5432/other?host=%2Ftmp',
    )
    const elsewhere = (url: string) => [withDatabase(url, 'other'), databaseNameIn(url)]
    expect(elsewhere('postgres://me:pw@host:5432')).toEqual(['postgres://me:pw@host:5432/other', ''])
    expect(elsewhere('postgres://host?sslmode=require')).toEqual([
      'postgres://host/other?sslmode=require',
      '',
    ])
    expect(elsewhere('postgres://me@one:1,two:2/app?a=/b')).toEqual([
      'postgres://me@one:1,two:2/other?a=/b',
      'app',
    ])
  })
})
