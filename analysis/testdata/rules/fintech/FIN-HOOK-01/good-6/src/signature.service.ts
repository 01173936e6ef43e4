import { Injectable } from '@nestjs/common'
import { createHmac, timingSafeEqual } from 'node:crypto'

@Injectable()
export class SignatureService {
  verify(raw: Buffer, given: string): boolean {
    const expected = createHmac('sha512', process.env.PAYSTACK_SECRET!).update(raw).digest()
    const received = Buffer.from(given ?? '', 'hex')
    if (received.length !== expected.length) return false
    return timingSafeEqual(received, expected)
  }
}
