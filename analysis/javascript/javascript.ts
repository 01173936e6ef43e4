// The rule catalogue for JavaScript and TypeScript.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { cryptoRules } from './rules/exposure/crypto.ts'
import { htmlRules } from './rules/exposure/html.ts'
import { htmlFilterRules } from './rules/exposure/html-filters.ts'
import { messageRules } from './rules/exposure/messages.ts'
import { redirectRules } from './rules/exposure/redirects.ts'
import { tokenRules } from './rules/exposure/tokens.ts'
import { transportRules } from './rules/exposure/transport.ts'
import { urlRules } from './rules/exposure/urls.ts'
import { archiveRules } from './rules/injection/archive-entries.ts'
import { codeRules } from './rules/injection/code.ts'
import { commandOptionRules } from './rules/injection/command-options.ts'
import { commandRules } from './rules/injection/commands.ts'
import { massAssignmentRules } from './rules/injection/mass-assignment.ts'
import { nosqlRules } from './rules/injection/nosql.ts'
import { parsingRules } from './rules/injection/parsing.ts'
import { pathCheckRules } from './rules/injection/path-checks.ts'
import { pathRules } from './rules/injection/paths.ts'
import { prototypePollutionRules } from './rules/injection/prototype-pollution.ts'
import { regexRules } from './rules/injection/regexes.ts'
import { sqlRules } from './rules/injection/sql.ts'
import { sqlQuotingRules } from './rules/injection/sql-quoting.ts'

const rules: readonly Rule[] = [
  ...commandRules,
  ...commandOptionRules,
  ...codeRules,
  ...pathRules,
  ...archiveRules,
  ...pathCheckRules,
  ...sqlRules,
  ...sqlQuotingRules,
  ...nosqlRules,
  ...htmlRules,
  ...htmlFilterRules,
  ...urlRules,
  ...redirectRules,
  ...prototypePollutionRules,
  ...massAssignmentRules,
  ...regexRules,
  ...tokenRules,
  ...transportRules,
  ...cryptoRules,
  ...parsingRules,
  ...messageRules,
]

export const javascript = { model, rules }
