// The catalogue for JavaScript and TypeScript.
import type { Rule } from '../rule.ts'
import { model } from './model.ts'
import { addressRules } from './rules/addresses.ts'
import { answerRules } from './rules/answers.ts'
import { codeRules } from './rules/code.ts'
import { commandRules } from './rules/commands.ts'
import { cryptoRules } from './rules/crypto.ts'
import { massRules } from './rules/mass.ts'
import { nosqlRules } from './rules/nosql.ts'
import { pageRules } from './rules/pages.ts'
import { parsingRules } from './rules/parsing.ts'
import { pathRules } from './rules/paths.ts'
import { prototypeRules } from './rules/prototypes.ts'
import { regexRules } from './rules/regexes.ts'
import { sqlRules } from './rules/sql.ts'
import { tokenRules } from './rules/tokens.ts'
import { transportRules } from './rules/transport.ts'

const rules: readonly Rule[] = [
  ...commandRules,
  ...codeRules,
  ...pathRules,
  ...sqlRules,
  ...nosqlRules,
  ...pageRules,
  ...addressRules,
  ...prototypeRules,
  ...massRules,
  ...regexRules,
  ...tokenRules,
  ...transportRules,
  ...cryptoRules,
  ...parsingRules,
  ...answerRules,
]

export const javascript = { model, rules }
