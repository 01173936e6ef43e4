import { timingSafeEqual } from 'node:crypto'

export function isFromFlutterwave(given: string | null): boolean {
  const expected = Buffer.from(process.env.FLW_HASH ?? '')
  const received = Buffer.from(given ?? '')
  return expected.length > 0 && expected.length === received.length && timingSafeEqual(expected, received)
}
