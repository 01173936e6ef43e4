import { describe, expect, test } from 'vitest'
import { disabledReasons, type Role, readCap } from './member.ts'

const of = (role: Role, userId = 'other', pending = false) => ({ userId, role, pending })
const OWNER = { userId: 'me', role: 'owner' } as const
const ADMIN = { userId: 'me', role: 'admin' } as const

describe('permissions of the viewer', () => {
  test('an owner may do everything with a member', () => {
    expect(Object.values(disabledReasons(OWNER, of('member'), 1))).toEqual([null, null, null, null])
  })

  test('the last owner cannot be removed, and one of two can', () => {
    expect(disabledReasons(OWNER, of('owner', 'me'), 1).remove).toMatch(/at least one owner/)
    expect(disabledReasons(OWNER, of('owner'), 2).remove).toBeNull()
  })

  test('an administrator cannot change owners, make owners, or change their own cap', () => {
    const owner = disabledReasons(ADMIN, of('owner'), 2)
    for (const reason of [owner.change, owner.cap, owner.remove]) expect(reason).toMatch(/Only an owner/)
    expect(disabledReasons(ADMIN, of('member'), 1)).toMatchObject({ change: null, cap: null, remove: null })
    expect(disabledReasons(ADMIN, of('member'), 1).promote).toMatch(/Only an owner/)
    expect(disabledReasons(ADMIN, of('admin', 'me'), 1).cap).toMatch(/Your own cap/)
  })

  test('a pending member cannot be made an owner', () => {
    expect(disabledReasons(OWNER, of('member', 'other', true), 1).promote).toMatch(/not accepted/)
  })
})

test('a cap is entered in major units, exactly, and an empty field means no cap', () => {
  const naira = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
  const francs = { code: 'XOF', symbol: 'CFA', minorUnit: 1, minorName: 'franc' }
  expect(readCap(' ', naira)).toEqual({ cap: null })
  expect(readCap('₦500.50', naira)).toEqual({ cap: 500.5 })
  expect(readCap('500', francs)).toEqual({ cap: 500 })
  expect(readCap('a lot', naira)).toHaveProperty('error')
})
