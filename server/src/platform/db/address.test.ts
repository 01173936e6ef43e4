import { describe, expect, test } from 'vitest'
import { connectionOptions, databaseIn, withDatabase } from './address.ts'

describe('the address of a database', () => {
  test('may be a socket in a folder', () => {
    expect(connectionOptions('postgres://me@localhost:5433/app?host=%2Ftmp%2Fsocket%20dir')).toEqual([
      'postgres://me@localhost:5433/app',
      { host: '/tmp/socket dir', port: 5433 },
    ])
  })

  test('keeps what the driver understands itself, several hosts among it', () => {
    const url = 'postgres://me:p%40ss@one:5432,two:5433/app?sslmode=require'
    expect(connectionOptions(url)).toEqual([url, {}])
  })

  test('may ask for unprepared statements, as PgBouncer needs them', () => {
    expect(connectionOptions('postgres://me@pool/app?prepare=false')).toEqual([
      'postgres://me@pool/app',
      { prepare: false },
    ])
  })

  test('can be turned to another database of the same server', () => {
    expect(withDatabase('postgres://me@localhost:5432/postgres?host=%2Ftmp', 'other')).toBe(
      'postgres://me@localhost:5432/other?host=%2Ftmp',
    )
    const elsewhere = (url: string) => [withDatabase(url, 'other'), databaseIn(url)]
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
