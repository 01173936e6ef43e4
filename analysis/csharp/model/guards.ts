// Conditions that make a value safe.

import { allTaints } from '../../engine/values/values.ts'
import type { GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

export const guards: readonly GuardModel[] = [
  {
    name: ['*.Contains', '*.ContainsKey', '*.TryGetValue'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: isFixedCollection,
  },
  { name: ['*.Equals'], subject: 'receiver', when: true, sanitizes: ['all'], appliesTo: hasConstantArgument },
  { name: ['*.Equals'], subject: 0, when: true, sanitizes: ['all'], appliesTo: hasConstantReceiver },
  {
    name: ['string.Equals', 'String.Equals'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ arg }) => typeof arg(1)?.value.known === 'string',
  },
  {
    name: ['Regex.IsMatch'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ arg }) => isNarrow(arg(1)?.value.known),
  },
  {
    name: ['*.IsMatch'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ receiver }) => isNarrow(receiver?.known),
  },
  { name: ['*.StartsWith'], subject: 'receiver', when: true, sanitizes: ['path'], appliesTo: isOfFullPath },
  {
    name: ['*.StartsWith'],
    subject: 'receiver',
    when: true,
    sanitizes: ['url', 'redirect'],
    appliesTo: isOrigin,
  },
  {
    name: ['*.Contains'],
    subject: 'receiver',
    when: false,
    sanitizes: ['path'],
    appliesTo: testsParentSegment,
  },
  { name: ['*.IndexOfAny'], subject: 'receiver', when: false, sanitizes: ['path'] },
  { name: ['*.IsLocalUrl', '*.IsLocalUrlAsync'], subject: 0, when: true, sanitizes: ['redirect', 'url'] },
  { name: ['*.All'], subject: 'receiver', when: true, sanitizes: ['all'], appliesTo: testsCharacters },
  { name: ['*.every'], subject: 'receiver', when: true, sanitizes: ['all'], appliesTo: testsCharacters },
  {
    name: ['TryParse', 'IsDefined'].map((name) => `*.${name}`),
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ name }) => !/^(?:Uri|MailAddress)\./.test(name),
  },
  {
    name: [
      '*.IsValid*',
      '*.IsSafe*',
      '*.IsAllowed*',
      '*.IsPermitted*',
      '*.IsTrusted*',
      '*.Validate*',
      '*.Verify*',
    ],
    subject: 0,
    when: true,
    sanitizes: ['all'],
  },
]

/** An untainted collection. `Contains` on a string only tests for a substring. */
function isFixedCollection({ receiver }: CallEvent): boolean {
  if (!receiver || allTaints(receiver).length > 0 || typeof receiver.known === 'string') return false
  return (
    receiver.fields !== undefined ||
    receiver.others !== undefined ||
    /(?:List|Set|Dictionary|Collection|Enumerable|\[\])$/.test(receiver.type ?? '')
  )
}

function hasConstantArgument({ arg }: CallEvent): boolean {
  return typeof arg(0)?.value.known === 'string'
}

function hasConstantReceiver({ receiver }: CallEvent): boolean {
  return typeof receiver?.known === 'string'
}

/** Anchored at both ends, without special characters. */
function isNarrow(pattern: unknown): boolean {
  return (
    typeof pattern === 'string' &&
    /^(?:\^|\\A)(?:(?:\[[\w\\ -]+\]|\\[dw]|[\w-])(?:[+*?]|\{[\d,]+\})?)+(?:\$|\\z|\\Z)$/.test(pattern)
  )
}

/** `Path.GetFullPath(path).StartsWith(root)`. */
function isOfFullPath({ receiver, arg, source, expr, functions }: CallEvent): boolean {
  const root = arg(0)?.value
  if (!receiver || !root || root.taints.length > 0) return false
  const [definition] = functions
  const inside = definition ? source(definition.at) : source(expr.at)
  return /GetFullPath|FullName|full|canonical|normali[sz]|absolute|resolved/i.test(
    `${source(expr.callee.at)} ${inside}`,
  )
}

/** A prefix with a complete host: `https://api.example.com/`. */
function isOrigin({ arg }: CallEvent): boolean {
  return /^https?:\/\/[^/]+\/$/.test(String(arg(0)?.value.known ?? ''))
}

function testsParentSegment({ arg }: CallEvent): boolean {
  return /^(?:\.\.[/\\]?|[/\\])$/.test(String(arg(0)?.value.known ?? ''))
}

/** `name.All(char.IsLetterOrDigit)`. */
function testsCharacters({ source, expr }: CallEvent): boolean {
  return /\.All\([^)]{0,60}(?:char|Char)\.Is(?:LetterOrDigit|Digit|Letter|AsciiLetterOrDigit)\b/.test(
    source(expr.at),
  )
}
