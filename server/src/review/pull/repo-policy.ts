// What the owners of a repository want of reviews: a file on the default branch. The one in a pull request is part of what is
// reviewed, and decides nothing.
import { z } from 'zod'

export const POLICY_PATH = '.github/cowrie.json'
export const POLICY_BYTES_MAX = 64 * 1024

/** More of these in a row take time that doubles with each. */
const WILD_MAX = 4
const pattern = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => text.split('**').length <= WILD_MAX + 1, {
    error: `may have ** at most ${WILD_MAX} times`,
  })

const PolicyFile = z.object({
  /** The organisation that may claim an installation for this repository. */
  org: z.string().max(100).optional(),
  ignore: z.array(pattern).max(100).default([]),
  rules: z.record(z.string().max(100), z.enum(['on', 'off'])).default({}),
  validate: z.object({ command: z.string().min(1).max(2_000) }).optional(),
})
export type PolicyFile = z.output<typeof PolicyFile>

export type RepoPolicy = {
  isIgnored(path: string): boolean
  isOff(ruleId: string): boolean
  /** What proves that a change works; null where the owners have not said. */
  readonly command: string | null
}

/** Null for what is no policy. */
export function parsePolicyFile(text: string): PolicyFile | null {
  try {
    const file = PolicyFile.safeParse(JSON.parse(text))
    return file.success ? file.data : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** `ignored` are the paths that its patterns leave out. */
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
