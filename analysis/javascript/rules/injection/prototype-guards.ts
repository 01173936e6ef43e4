// Checks of keys that keep a write away from `Object.prototype`, and their gaps.
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'

/** The file compares a key with one of the dangerous names, or uses a helper that does. */
const GUARDED =
  /['"`/|(]__proto__['"`/|)]|(?:[!=]==?|\bcase)\s*['"](?:constructor|prototype)['"]|['"](?:constructor|prototype)['"]\s*[!=]==?|(?:is|has)?(?:unsafe|dangerous|safe|prototype|polluti\w{1,20}|forbidden|invalid)_?(?:key|prop)\w{0,40}\(|isPrototypePolluted/i
const isGuarded = memoizeByText((text) => GUARDED.test(text))
const namesConstructor = (text: string): boolean => CONSTRUCTOR.test(text) || callsKeyCheck(text)
const fileNamesConstructor = memoizeByText(namesConstructor)
const CONSTRUCTOR = /['"`/|(](?:constructor|prototype)['"`/|)]|isPrototypePolluted/i

/** Calls a function that is named as a check of keys: `isSafeKey(key)`. */
const callsKeyCheck = (text: string): boolean =>
  [...text.matchAll(/\b(\w{1,60})\(/g)].some(
    ([, name = '']) => /key|prop/i.test(name) && CHECK_WORD.test(name),
  )

const CHECK_WORD =
  /is|has|check|valid|safe|allow|deny|block|forbid|assert|ignor|danger|reject|guard|clean|filter|sanit|ensure|test/i

export type Guard = 'none' | 'complete' | 'elsewhere' | 'without constructor' | 'fixed position'

/** A guard of another function of the file does not protect this one, and a path can also use `constructor.prototype`. */
export function guardOf(text: string, outermost: string, own: string): Guard {
  if (!isGuarded(text)) return 'none'
  if (checksFixedPosition(own)) return 'fixed position'
  if (!fileNamesConstructor(text) || (COMPARES_PROTO.test(own) && !namesConstructor(own)))
    return 'without constructor'
  return NAMES_KEY.test(outermost) ? 'complete' : 'elsewhere'
}

/** `path[0] === '__proto__'` before a loop that uses every part of the path. */
function checksFixedPosition(own: string): boolean {
  const checks = [...own.matchAll(PROTO_CHECK)]
  return (
    checks.length > 0 &&
    checks.every(({ index }) => /\[\d\]$/.test(own.slice(Math.max(0, index - 20), index).trimEnd())) &&
    /\b(?:for|while)\s?\(/.test(own)
  )
}
const PROTO_CHECK = /[!=]==?\s{0,5}['"]__proto__['"]/g
const COMPARES_PROTO = /[!=]==?\s*['"]__proto__['"]|['"]__proto__['"]\s*[!=]==?/

/** The function tests the key itself, or with a helper, a list or a pattern. */
const NAMES_KEY =
  /__proto__|['"`](?:constructor|prototype)['"`]|polluti|(?:unsafe|dangerous|safe|forbidden|invalid|valid|block|deny|black|reserved|allowed|protected|skip)\w*\b|\b(?:is|has|check|assert|get)\w{0,40}(?:key|prop)\w{0,40}\(|\.(?:test|has|includes|indexOf)\(/i

export const GUARD_GAPS: Readonly<Record<Exclude<Guard, 'none' | 'complete'>, string>> = {
  elsewhere: 'Another function of this file checks the keys; this one does not.',
  'fixed position': 'Only one part of the path is checked, but every part is used as a key.',
  'without constructor': 'The check rejects `__proto__`, but not `constructor` followed by `prototype`.',
}
