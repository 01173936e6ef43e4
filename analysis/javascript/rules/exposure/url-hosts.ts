// The host of an address: which part of the text decides it, and whether the code checks it.

import type { AbstractValue } from '../../../abstract-value.ts'
import { joinTaints } from '../../../engine/values/values.ts'
import type { CallEvent } from '../../../rule.ts'
import { constantPrefix, findTaint, textBefore } from '../taint-flow.ts'

/** Whether a tainted part can change the host. A constant prefix fixes it once the host is complete. */
export function decidesHost(address: AbstractValue): boolean {
  const text = constantPrefix(address)
  if (text === '') {
    // An untainted value comes first, such as an origin from the settings.
    const first = address.pieces?.[0]
    return (
      first === undefined || typeof first === 'string' || findTaint(first, { sinks: ['url'] }) !== undefined
    )
  }
  if (/^(?:https?:)?\/\/[^/?#]+[/?#]/i.test(text)) return false
  return /^(?:https?:)?(?:\/\/)?$/i.test(text) || /^(?:https?:)?\/\/[^/?#]*$/i.test(text)
}

/** The pieces before the path. Values in the path or the query cannot change the host. */
export function hostOf(address: AbstractValue): AbstractValue {
  const { pieces } = address
  if (!pieces) return address
  const end = pieces.findIndex(
    (piece, index) =>
      typeof piece === 'string' &&
      /[/?#]/.test(index === 0 ? piece.replace(/^\s*(?:https?:)?\/\//i, '') : piece),
  )
  const host = (end === -1 ? pieces : pieces.slice(0, end)).filter((piece) => typeof piece !== 'string')
  return { taints: host.reduce<AbstractValue['taints']>((all, { taints }) => joinTaints(all, taints), []) }
}

/** A check of the host parsed from the URL. */
export function isHostChecked(event: CallEvent): boolean {
  const { at } = event.expr
  const before = textBefore(event, { ...at, start: at.end })
  return (
    /\b\w*(?:allow|white|safe|trusted|permitted)\w*\.(?:some|find|every|includes|has|indexOf)\(/i.test(
      before,
    ) ||
    /(?:includes|has|test|indexOf|===|!==|endsWith|some|match)\(?[^;\n]*\b(?:host|hostname|origin|protocol)\b|\b(?:host|hostname|origin)\b[^;\n]*(?:===|!==|endsWith|includes|has\(|match|test)/i.test(
      before,
    ) ||
    /(?:isSafe|isAllowed|isValid|validate|allowed|whitelist|allowlist|assertPublic|ssrf|isLocal|isRelative)\w*(?:Ur[li]|Host|Domain|Redirect|Origin|Path)?\w*\(/i.test(
      before,
    )
  )
}
