// What the payer has to do: a code to dial, a phone to answer, words to follow, a page to open.
import type { Context } from '../command.ts'
import { bold, type Line } from '../terminal/line.ts'
import { qrLines } from '../terminal/qr.ts'
import type { Told } from './notes.ts'

/** For people. A picture of the address only where somebody sees it, and where it is the way to pay. */
export function handOffLines({ machine, out }: Context, told: Told): Line[] {
  const { ussdCode, displayText, authorizationUrl } = told
  const lines: Line[] = []
  if (ussdCode) lines.push('Dial this on your phone:', '', ['    ', bold(ussdCode)], '')
  if (displayText) lines.push(displayText)
  if (authorizationUrl) {
    const isTheWay = !ussdCode && !displayText && machine.isShown && out.manner.live
    lines.push(...((isTheWay && qrLines(authorizationUrl, out.manner.width())) || []))
    lines.push(`${isTheWay || !displayText ? 'Pay at' : 'Or go on at'} ${authorizationUrl}`)
  }
  return lines
}
