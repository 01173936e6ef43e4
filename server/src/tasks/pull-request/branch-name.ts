// Names of branches, by the rules of git.
import { invalidFields } from '../../kernel/errors.ts'
import type { TaskId } from '../types.ts'

const LENGTH_MAX = 200
const SLUG_MAX = 40
const ID_CHARACTERS = 6

/** Rules of `git check-ref-format --branch`, and names that GitHub refuses. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [
    /[\p{Cc}\p{Cf}\p{Cs}\p{Z}~^:?*[\\]/u,
    'must not contain spaces, control characters or any of ~ ^ : ? * [ \\',
  ],
  [/^[-/]|\/$|\/\//, 'must not start with - or /, end with /, or contain //'],
  [/(^|\/)\.|\.\.|\.$/, 'must not contain .., end with a dot, or have a part that starts with a dot'],
  [/\.lock(\/|$)/, 'must not have a part that ends with .lock'],
  [/@\{|^@$|^HEAD$|^refs\//, 'must not be HEAD or @, contain @{ or start with refs/'],
  [/^[0-9a-f]{40}([0-9a-f]{24})?$/i, 'must not look like a commit'],
]

/** Throws `invalid_fields` for a name that git or GitHub would refuse. */
export function requireBranchName(name: string): string {
  const refuse = (message: string) => invalidFields({ path: 'branch', message })
  if (name.length === 0 || Buffer.byteLength(name) > LENGTH_MAX)
    throw refuse(`must have 1 to ${LENGTH_MAX} bytes`)
  for (const [pattern, message] of FORBIDDEN) if (pattern.test(name)) throw refuse(message)
  return name
}

/** `cowrie/` with words of the title. The end of the id is random, so two tasks have different names. */
export function defaultBranchName({ id, title }: { readonly id: TaskId; readonly title: string }): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^-+|-+$/g, '')
  return `cowrie/${slug || 'task'}-${id.slice(-ID_CHARACTERS)}`
}
