// Schemas of findings and rules.

import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { Rule } from '@cowrie/analysis/rule.ts'
import { z } from 'zod'

const FILES_MAX = 2_000
const path = z
  .string()
  .min(1)
  .max(1_000)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must be a plain path' })

/** The files of a request. */
export const SentFiles = z
  .array(z.object({ path, content: z.string() }))
  .min(1)
  .max(FILES_MAX)

export const ScanFinding = z
  .object({
    ruleId: z.string(),
    title: z.string(),
    cwe: z.string().meta({ examples: ['CWE-78'] }),
    severity: z.enum(['error', 'warn', 'note']),
    confidence: z.enum(['high', 'medium', 'low']),
    path: z.string(),
    line: z.int(),
    startLine: z.int(),
    endLine: z.int(),
    message: z.string(),
    fix: z.string(),
    snippet: z.string().meta({ description: 'The source line, with secrets masked.' }),
    flow: z
      .array(z.object({ path: z.string(), line: z.int(), what: z.string() }))
      .meta({ description: 'The data flow from untrusted input to the finding.' }),
    fingerprint: z.string().meta({ description: 'Identifies the same finding after lines have moved.' }),
  })
  .meta({ id: 'ScanFinding' })
export type ScanFinding = z.input<typeof ScanFinding>

export function toScanFinding(finding: Finding): ScanFinding {
  const { cwe, flow, shape: _, ...rest } = finding
  return {
    ...rest,
    cwe: `CWE-${cwe}`,
    flow: flow.map(({ path, at, what }) => ({ path, line: at.line, what })),
  }
}

export const RuleList = z
  .object({
    rules: z.array(
      z.object({
        id: z.string().meta({ examples: ['JS-CMD-01'] }),
        title: z.string(),
        cwe: z.string().meta({ examples: ['CWE-78'] }),
        severity: z.enum(['error', 'warn', 'note']),
        confidence: z.enum(['high', 'medium', 'low']),
        languages: z.array(z.string()).meta({ description: 'Empty for rules that apply to any text.' }),
        message: z.string(),
        fix: z.string(),
      }),
    ),
  })
  .meta({ id: 'RuleList' })

export function toRuleReply({
  id,
  title,
  cwe,
  severity,
  confidence,
  languages,
  message,
  fix,
}: Omit<Rule, 'on' | 'isForTests'>) {
  const named = languages === 'any text' ? [] : [...languages]
  return { id, title, cwe: `CWE-${cwe}`, severity, confidence, languages: named, message, fix }
}
