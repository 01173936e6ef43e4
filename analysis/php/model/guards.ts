// Guards: conditions that sanitize a value.
import type { GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { VALIDATING } from './requests.ts'

export const guards: readonly GuardModel[] = [
  {
    name: [
      'is_numeric',
      'is_int',
      'ctype_digit',
      'ctype_alnum',
      'ctype_alpha',
      'ctype_xdigit',
      'is_bool',
      'is_float',
    ],
    subject: 0,
    when: true,
    sanitizes: ['all'],
  },
  { name: ['in_array'], subject: 0, when: true, sanitizes: ['all'], appliesTo: isUntaintedArgument(1) },
  {
    name: ['array_key_exists', 'key_exists'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: isUntaintedArgument(1),
  },
  { name: ['array_search'], subject: 0, when: true, sanitizes: ['all'], appliesTo: isUntaintedArgument(1) },
  { name: ['function_exists', 'class_exists', 'method_exists'], subject: 0, when: true, sanitizes: [] },
  {
    name: ['preg_match'],
    subject: 1,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ arg }) => isStrict(arg(0)?.value.known),
  },
  {
    name: ['preg_match'],
    subject: 1,
    when: false,
    sanitizes: ['path'],
    appliesTo: ({ arg }) => /\\\.\\?\./.test(String(arg(0)?.value.known ?? '')),
  },
  {
    name: ['filter_var'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ args }) => args.some(({ value }) => VALIDATING.test(value.name ?? '')),
  },
  {
    name: ['strpos', 'stripos', 'str_contains', 'strstr', 'mb_strpos'],
    subject: 0,
    when: false,
    sanitizes: ['path'],
    appliesTo: testsFor(/^(\.\.|\/|\.\.\/)$/),
  },
  {
    name: ['strpos', 'str_starts_with', 'strncmp', 'substr'],
    subject: 0,
    when: true,
    sanitizes: ['path'],
    appliesTo: ({ arg }) => !/^\/?$/.test(String(arg(1)?.value.known ?? 'x')),
  },
  {
    name: ['str_starts_with', 'strpos'],
    subject: 0,
    when: true,
    sanitizes: ['url', 'redirect'],
    appliesTo: testsFor(/^https?:\/\/[^/]+\/|^\/[^/\\]/),
  },
  {
    name: ['str_starts_with', 'strpos'],
    subject: 0,
    when: false,
    sanitizes: ['redirect'],
    appliesTo: testsFor(/^\/\/$|^http/),
  },
  { name: ['validate_file'], subject: 0, when: false, sanitizes: ['path'] },
  { name: ['is_email'], subject: 0, when: true, sanitizes: ['html', 'header', 'path'] },
]

function isUntaintedArgument(index: number): (event: CallEvent) => boolean {
  return ({ arg }) => (arg(index)?.value.taints.length ?? 1) === 0
}

function testsFor(wanted: RegExp): (event: CallEvent) => boolean {
  return ({ arg }) => {
    const asked = arg(1)?.value.known
    return typeof asked === 'string' && wanted.test(asked)
  }
}

/** Anchored at both ends, without a wildcard in between. */
function isStrict(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  const source = pattern.slice(
    1,
    pattern.lastIndexOf(pattern[0] === '{' ? '}' : pattern[0] === '(' ? ')' : (pattern[0] ?? '/')),
  )
  return /^(\^|\\A).*(\$|\\z|\\Z)$/s.test(source) && !/\.[*+]|\[\^/.test(source)
}
