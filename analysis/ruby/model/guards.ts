// Guards: conditions that sanitize a value.

import type { AbstractValue } from '../../abstract-value.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

export const guards: readonly GuardModel[] = [
  {
    name: ['*.include?', '*.member?', '*.key?', '*.has_key?', '*.cover?', '*.value?'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ receiver }) => receiver !== null && isFixed(receiver),
  },
  {
    name: '*.in?',
    subject: 'receiver',
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ arg }) => isFixed(arg(0)?.value ?? { taints: [] }),
  },
  { name: ['*.match?', '*.match'], subject: 'receiver', when: true, sanitizes: ['all'], appliesTo: isStrict },
  {
    name: '*.match?',
    subject: 'receiver',
    when: false,
    sanitizes: ['path'],
    appliesTo: (event) => /\\\.\\?\.|\\\.\{2/.test(patternOf(event) ?? ''),
  },
  {
    name: ['*.match?', '*.match'],
    subject: 'receiver',
    when: true,
    sanitizes: ['redirect', 'url'],
    appliesTo: (event) =>
      /^(?:\\A|\^)(?:https?:(?:\\?\/){2}[^/]*\\?\/|\\?\/(?:\[\^|\(\?!|\\w))/.test(patternOf(event) ?? ''),
  },
  {
    name: '*.include?',
    subject: 'receiver',
    when: false,
    sanitizes: ['path'],
    appliesTo: asks(/^(?:\.\.|\.\.\/|\/)$/),
  },
  {
    name: '*.include?',
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect'],
    appliesTo: asks(/^(?::?\/\/|:)$/),
  },
  {
    name: '*.start_with?',
    subject: 'receiver',
    when: true,
    sanitizes: ['path'],
    appliesTo: ({ arg }) => !/^\/?$/.test(String(arg(0)?.value.known ?? 'x')),
  },
  {
    name: '*.start_with?',
    subject: 'receiver',
    when: true,
    sanitizes: ['url', 'redirect'],
    appliesTo: asks(/^https?:\/\/[^/]+\/|^\/[^/\\]/),
  },
  {
    name: '*.start_with?',
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect'],
    appliesTo: asks(/^\/\/$|^http/),
  },
  { name: ['valid_encoding?', '*.valid_encoding?'], subject: 'receiver', when: true, sanitizes: [] },
  { name: ['url_from', '*.url_host_allowed?'], subject: 0, when: true, sanitizes: ['redirect', 'url'] },
]

/** Constant items, or a method whose name says that it lists allowed values. */
function isFixed(value: AbstractValue): boolean {
  const isCollection = value.fields !== undefined || value.others !== undefined
  if (allTaints(value).length > 0 || typeof value.known === 'string') return false
  return (
    isCollection ||
    /^[A-Z][A-Z0-9_]+$|column_names|allowed|permitted|whitelist|\.keys\(\)$|attribute_names/i.test(
      value.name ?? '',
    )
  )
}

function asks(wanted: RegExp): (event: CallEvent) => boolean {
  return ({ args }) => args.some(({ value }) => typeof value.known === 'string' && wanted.test(value.known))
}

const patternOf = ({ arg }: CallEvent): string | undefined => {
  const source = arg(0)?.value.fields?.get('source')?.known
  return typeof source === 'string' ? source : undefined
}

/** `^` and `$` match at every line, so only `\A` and `\z` bound the text. Without a wildcard in between. */
function isStrict(event: CallEvent): boolean {
  const source = patternOf(event)
  if (source === undefined) return false
  return /^\\A.*\\[zZ]$/s.test(source) && !/(?<!\\)\.[*+]|\[\^|\\[WSD]/.test(source)
}
