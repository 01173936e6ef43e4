// The form of a custom rule. Every part is bounded, and nothing in it is executed or compiled to a regular expression.
import type { CustomRule } from '@cowrie/analysis/custom/custom-rule.ts'
import { LANGUAGES } from '@cowrie/analysis/engine/skipped-files.ts'
import { z } from 'zod'
import { invalidFields } from '../../kernel/errors.ts'
import { fieldErrors } from '../../platform/http/reply/error-response.ts'
import { parseYaml, YamlError } from './yaml.ts'

export const RULE_CHARACTERS_MAX = 16_000
const NAMES_MAX = 30
const GLOBS_MAX = 10
/** A glob of stars only would match everything. */
const GLOB_LETTERS_MIN = 3

const sentence = (max: number) => z.string().trim().min(3).max(max)
const name = z
  .string()
  .max(120)
  .regex(/^(?:\*\.)?[A-Za-z_$][\w$./:@-]*(?:#[\w$]+)?\*?$/, {
    error: 'must be a name such as acme.pay, *.query, Client#send or acme.log*',
  })
/** A single value stands for a list of one. */
const oneOrMore = <T extends z.ZodType>(item: T, max: number) =>
  z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(item).min(1).max(max))
const glob = z
  .string()
  .max(200)
  .refine((text) => text.replaceAll('*', '').trim().length >= GLOB_LETTERS_MIN, {
    error: `must have at least ${GLOB_LETTERS_MIN} characters besides *`,
  })
const position = z.int().min(0).max(20)

const condition = z
  .strictObject({
    argument: position.optional(),
    option: z.string().min(1).max(60).optional(),
    is: z.union([z.string().max(200), z.number(), z.boolean(), z.null()]).optional(),
    like: z.string().min(1).max(200).optional(),
    missing: z.boolean().optional(),
  })
  .refine(({ argument, option }) => (argument === undefined) !== (option === undefined), {
    error: 'must have either argument or option',
  })
  .refine(({ is, like, missing }) => is !== undefined || like !== undefined || missing !== undefined, {
    error: 'must have is, like or missing',
  })
  .transform(({ argument, option, ...rest }) =>
    argument === undefined ? { option: option ?? '', ...rest } : { argument, ...rest },
  )

const call = z.strictObject({
  name: oneOrMore(name, NAMES_MAX),
  where: z.array(condition).max(10).default([]),
})
const sink = z.preprocess(
  (given) => (typeof given === 'string' ? { call: given } : given),
  z.strictObject({ call: name, arguments: z.array(position).min(1).max(10).optional() }),
)
const flow = z.strictObject({
  from: oneOrMore(name, NAMES_MAX),
  to: oneOrMore(sink, NAMES_MAX),
  sanitizers: z.array(name).max(NAMES_MAX).default([]),
})

const RuleForm = z
  .strictObject({
    id: z.string().regex(/^ORG(?:-[A-Z0-9]{1,16}){1,3}$/, { error: 'must look like ORG-PAY-01' }),
    title: sentence(120),
    severity: z.enum(['error', 'warn', 'note']).default('warn'),
    confidence: z.enum(['high', 'medium', 'low']).default('medium'),
    cwe: z.int().min(1).max(5_000),
    languages: oneOrMore(z.enum([...LANGUAGES, 'any']), LANGUAGES.length),
    message: sentence(1_000),
    fix: sentence(1_000),
    call: call.optional(),
    flow: flow.optional(),
    text: oneOrMore(glob, GLOBS_MAX).optional(),
  })
  .refine(({ call: one, flow: two, text: three }) => [one, two, three].filter(Boolean).length === 1, {
    error: 'must have exactly one of call, flow and text',
  })
  .refine(({ languages, text }) => !languages.includes('any') || text !== undefined, {
    error: 'with languages: any must have text',
  })
  .transform(({ languages, ...rule }) => ({
    ...rule,
    languages: languages.includes('any') ? 'any' : languages,
  }))

/** Throws `invalid_fields` with the line or the part at fault. */
export function parseRule(yaml: string): CustomRule {
  const parsed = RuleForm.safeParse(readYaml(yaml), { reportInput: true })
  if (parsed.success) return parsed.data as CustomRule
  const problems = fieldErrors(parsed.error.issues)
    .slice(0, 5)
    .map(({ path, message }) => `${path === '' ? 'the rule' : path}: ${message}`)
  throw invalidFields({ path: 'yaml', message: problems.join('; ') })
}

/** Null for a stored rule that this version no longer understands. */
export function parseStoredRule(yaml: string): CustomRule | null {
  try {
    const parsed = RuleForm.safeParse(parseYaml(yaml))
    return parsed.success ? (parsed.data as CustomRule) : null
  } catch (error) {
    if (error instanceof YamlError) return null
    throw error
  }
}

function readYaml(yaml: string): unknown {
  try {
    return parseYaml(yaml)
  } catch (error) {
    if (error instanceof YamlError) throw invalidFields({ path: 'yaml', message: error.message })
    throw error
  }
}
