// The rule catalogue, grouped by language.
import { csharp } from './csharp/csharp.ts'
import { dart } from './dart/dart.ts'
import type { LanguageRules } from './engine/scan-files.ts'
import { fintechRules, fintechTextRules } from './fintech/fintech.ts'
import * as go from './go/go.ts'
import { java } from './java/java.ts'
import { javascript } from './javascript/javascript.ts'
import { kotlin } from './kotlin/kotlin.ts'
import * as php from './php/php.ts'
import { python } from './python/python.ts'
import { ruby } from './ruby/ruby.ts'
import type { Rule } from './rule.ts'
import { secretRules } from './secrets/secrets.ts'
import { sqlRules } from './sql/sql.ts'

const withFintech = ({ model, rules }: LanguageRules): LanguageRules => ({
  model,
  rules: [...rules, ...fintechRules.filter(({ languages }) => languages.includes(model.language))],
})

export const languages: readonly LanguageRules[] = [
  javascript,
  python,
  java,
  go,
  php,
  ruby,
  dart,
  csharp,
  kotlin,
].map(withFintech)

/** Rules that scan the text of any file. */
export const textRules: readonly Rule[] = [...secretRules, ...fintechTextRules, ...sqlRules]

/** A rule that covers several languages is listed once. */
export const allRules: readonly Rule[] = [
  ...new Set([...languages.flatMap(({ rules }) => rules), ...textRules]),
]
