// The review policy of a repository, read from its default branch. A policy file in a pull request is under review and has no
// effect.
import { z } from 'zod'

export const POLICY_PATH = '.github/cowrie.json'
export const POLICY_BYTES_MAX = 64 * 1024

/** The matching time doubles with each further `**`. */
const WILD_MAX = 4
const pattern = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.split('**').length <= WILD_MAX + 1, {
    error: `must contain ** at most ${WILD_MAX} times`,
  })

const PolicyFile = z.object({
  /** The organisation that may claim an installation for this repository. */
  org: z.string().max(100).optional(),
  ignore: z.array(pattern).max(100).default([]),
  rules: z.record(z.string().max(100), z.enum(['on', 'off'])).default({}),
  /** The people who may dismiss findings in a reply. */
  replies: z
    .object({
      dismiss: z.enum(['off', 'write', 'admin']).default('write'),
      authorMayDismiss: z.boolean().default(true),
    })
    .default({ dismiss: 'write', authorMayDismiss: true }),
  validate: z.object({ command: z.string().min(1).max(2_000) }).optional(),
})
export type PolicyFile = z.output<typeof PolicyFile>

export type RepoPolicy = {
  isIgnored(path: string): boolean
  isOff(ruleId: string): boolean
  /** The command that runs the tests; null when the policy has none. */
  readonly command: string | null
}

/** Null for an invalid policy. */
export function parsePolicyFile(text: string): PolicyFile | null {
  try {
    const file = PolicyFile.safeParse(JSON.parse(text))
    return file.success ? file.data : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** `ignored` holds the paths that match the ignore patterns. */
export function createRepoPolicy(
  file: PolicyFile | null,
  ignored: ReadonlySet<string> = new Set(),
): RepoPolicy {
  return {
    isIgnored: (path) => ignored.has(path),
    isOff: (ruleId) => file?.rules[ruleId] === 'off',
    command: file?.validate?.command ?? null,
  }
}
