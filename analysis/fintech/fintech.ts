// Rules about code that moves money, for every language.
import type { Rule } from '../rule.ts'
import { amountRules } from './rules/amounts.ts'
import { balanceRules } from './rules/balances.ts'
import { moneyRules, moneyTextRules } from './rules/money.ts'
import { privacyRules } from './rules/privacy.ts'
import { referenceRules, referenceTextRules } from './rules/references.ts'
import { webhookRules } from './rules/webhooks.ts'

export const fintechRules: readonly Rule[] = [
  ...webhookRules,
  ...amountRules,
  ...balanceRules,
  ...moneyRules,
  ...privacyRules,
  ...referenceRules,
]

export const fintechTextRules: readonly Rule[] = [...moneyTextRules, ...referenceTextRules]
