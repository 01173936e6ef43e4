// Payment instructions: a code to dial, a phone prompt, a text, or a page to open.
import type { Context } from '../command.ts'
import { bold, type Line } from '../terminal/line.ts'
import { qrLines } from '../terminal/qr.ts'
import type { PaymentInstructions } from './records.ts'

/** For people. Shows a QR code only on a terminal, and only if the page is the way to pay. */
export function instructionLines({ machine, out }: Context, instructions: PaymentInstructions): Line[] {
  const { ussdCode, displayText, authorizationUrl } = instructions
  const lines: Line[] = []
  if (ussdCode) lines.push('Dial this on your phone:', '', ['    ', bold(ussdCode)], '')
  if (displayText) lines.push(displayText)
  if (authorizationUrl) {
    const isTheWay = !ussdCode && !displayText && machine.isStdoutTerminal && out.mode.live
    lines.push(...((isTheWay && qrLines(authorizationUrl, out.mode.width())) || []))
    lines.push(`${isTheWay || !displayText ? 'Pay at' : 'Or continue at'} ${authorizationUrl}`)
  }
  return lines
}
