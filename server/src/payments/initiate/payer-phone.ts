// The payer's phone at rest: sealed for the payment that it belongs to.
import type { App } from '../../platform/app.ts'

export const sealPhone = ({ secrets }: App, reference: string, phone: string): string =>
  secrets.seal(phone, contextOf(reference))

/** For staff: enough of it to know it again. */
export function maskedPhone({ secrets }: App, reference: string, sealed: string): string {
  const phone = secrets.open(sealed, contextOf(reference))
  return `${phone.slice(0, 4)}…${phone.slice(-3)}`
}

const contextOf = (reference: string): string => `phone of payment ${reference}`
