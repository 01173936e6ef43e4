import type { Topup } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import { topupNeeds } from './topup-needs.ts'

const NAIRA = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' } as const
const NOW = Date.parse('2026-11-18T10:00:00Z')

const topup = (reference: string, status: Topup['status'], createdAt = '2026-11-18T09:00:00Z') =>
  ({ reference, status, createdAt, amountMinor: 200_000n }) as Topup

const titles = (topups: Topup[], here: string[] = []) =>
  topupNeeds(topups, new Set(here), NAIRA, NOW).map(({ title }) => title)

test('a pending top-up needs the user only in the browser that started it', () => {
  expect(titles([topup('a', 'pending')], ['a'])).toEqual(['Your top-up of ₦2,000.00 is not finished'])
  expect(titles([topup('a', 'pending')])).toEqual([])
})

test('a failed top-up needs the user until a later one, or for three days', () => {
  expect(titles([topup('a', 'failed')])).toEqual(['Your top-up of ₦2,000.00 failed'])
  expect(titles([topup('a', 'expired')])).toEqual(['Your top-up of ₦2,000.00 failed'])
  expect(titles([topup('b', 'settled'), topup('a', 'failed')])).toEqual([])
  expect(titles([topup('a', 'failed', '2026-11-14T09:00:00Z')])).toEqual([])
})
