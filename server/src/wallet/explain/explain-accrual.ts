// Explains a charge that accumulates exactly with others.
import { type Currency, formatExact, money } from '../../kernel/money.ts'
import type { Language } from '../../platform/texts/language.ts'
import { formatMoney, say, withSeparators } from '../../platform/texts/texts.ts'
import type { AccruedCharge } from '../holds/accrual.ts'

export function toAccrual(language: Language, currency: Currency, charge: AccruedCharge) {
  const { exactCost, paidBefore, paidAfter } = charge
  return { exactCost, paidBefore, paidAfter, sentence: sentenceOf(language, currency, charge) }
}

const sentenceOf = (language: Language, currency: Currency, charge: AccruedCharge): string => {
  const { exactCost, paidBefore, paidAfter, chargedMinor } = charge
  const amountOf = (exact: string) => withSeparators(language, formatExact(exact, currency))
  const exact = amountOf(exactCost)
  const paid = amountOf(paidBefore)
  const debited = formatMoney(language, money(chargedMinor, currency))
  if (chargedMinor === 0n) return say(language, PAID_BEFORE, { exact, paid })
  if (paidBefore !== '0') return say(language, PAID_IN_PART, { exact, paid, debited })
  return paidAfter === '0'
    ? say(language, PAID_EXACTLY, { exact })
    : say(language, PAID_IN_ADVANCE, { exact, debited })
}

const PAID_BEFORE =
  'This call cost exactly {exact}. {paid} was already paid by earlier calls, so nothing was debited.'
const PAID_IN_PART =
  'This call cost exactly {exact}. {paid} was already paid by earlier calls, so {debited} was debited.'
const PAID_EXACTLY = 'This call cost exactly {exact}.'
const PAID_IN_ADVANCE =
  'This call cost exactly {exact}. {debited} was debited, and the difference pays for the next calls.'

/** From the exact cost to the debit. */
export function stepsOfAccrued(language: Language, charge: AccruedCharge): string[] {
  const number = (english: string) => withSeparators(language, english)
  const exact = number(charge.exactCost)
  const paid = number(charge.paidBefore)
  if (charge.chargedMinor === 0n) {
    const rest = number(charge.paidAfter)
    return [
      say(language, '{paid} paid by earlier calls − {exact} = {rest} for the next calls', {
        paid,
        exact,
        rest,
      }),
    ]
  }
  const due = number(charge.due)
  const rounded = say(language, '{exact} rounded up = {rounded}', {
    exact: due,
    rounded: `${charge.chargedMinor}`,
  })
  if (charge.paidBefore === '0') return [rounded]
  return [say(language, '{exact} − {paid} paid by earlier calls = {due}', { exact, paid, due }), rounded]
}
