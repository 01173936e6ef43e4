// Request and reply schemas of custom rules.
import { z } from 'zod'
import { ScanFinding, SentFiles } from '../schema.ts'
import { RULE_CHARACTERS_MAX } from './rule-form.ts'

const EXAMPLE = `id: ORG-CARD-01
title: A card number is written to the audit log
severity: error
cwe: 532
languages: [javascript, python]
message: The audit log is readable by all staff.
fix: Mask the number with maskCard first.
flow:
  from: [acme.readCard, "*.cardNumber"]
  to:
    - call: acme.audit
      arguments: [0]
  sanitizers: [maskCard]
`

const yaml = z
  .string()
  .min(1)
  .max(RULE_CHARACTERS_MAX)
  .meta({
    description:
      'The rule in YAML: `id`, `title`, `severity`, `cwe`, `languages`, `message`, `fix` and one of `call`, `flow` and `text`. See docs/custom-rules.md.',
    examples: [EXAMPLE],
  })

export const RuleParams = z.object({
  id: z
    .string()
    .regex(/^ORG(?:-[A-Z0-9]{1,16}){1,3}$/)
    .meta({ examples: ['ORG-CARD-01'] }),
})

export const RuleBody = z.object({
  yaml,
  enabled: z.boolean().default(true).meta({ description: 'Scans and reviews use only enabled rules.' }),
})
export type RuleBody = z.output<typeof RuleBody>

export const CustomRuleReply = z
  .object({
    id: z.string(),
    yaml: z.string(),
    enabled: z.boolean(),
    valid: z
      .boolean()
      .meta({ description: 'Whether this version understands the rule. Others are not used.' }),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'CustomRule' })

export const CustomRuleList = z.object({ rules: z.array(CustomRuleReply) }).meta({ id: 'CustomRuleList' })

export const RuleTestBody = z.object({ yaml, files: SentFiles })
export type RuleTestBody = z.output<typeof RuleTestBody>

export const RuleTestReply = z
  .object({
    findings: z.array(ScanFinding),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
    files: z.int(),
    omitted: z
      .int()
      .meta({ description: 'Findings that were left out: more than 50 in a file or 500 in total.' }),
  })
  .meta({ id: 'RuleTestReport' })
