// What of a page its readers do not see, or see on every page of the site: not part of what it says.
import { HEADINGS, UNREAD } from './elements.ts'
import type { Attributes } from './markup.ts'

/** Elements that are there for machines, or for nobody. */
export function isHidden(name: string, attributes: Attributes): boolean {
  if (UNREAD.has(name)) return true
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true
  if (attributes.get('aria-hidden')?.trim().toLowerCase() === 'true') return true
  const style = attributes.get('style')
  if (style && isHiding(plainStyle(style))) return true
  return tokens(attributes.get('class')).some((each) => FOR_MACHINES.test(each))
}

/** Menus, banners and what stands at the foot of every page. What stands in an article is its own. */
export function isFurniture(
  name: string,
  attributes: Attributes,
  around: readonly { readonly name: string }[],
): boolean {
  if (name === 'button') return !around.some((each) => HEADINGS.has(each.name) || each.name === 'summary')
  if (name === 'dialog') return !attributes.has('open')
  const role = attributes.get('role')?.trim().toLowerCase() ?? ''
  if (FURNITURE_ROLES.has(role)) return true
  if (name === 'footer' || role === 'contentinfo') return !around.some((each) => OWN_FOOT.has(each.name))
  return [attributes.get('id'), attributes.get('class')].flatMap(tokens).some((each) => BANNER.test(each))
}

const isHiding = (style: string): boolean =>
  HIDING.test(style) || (style.includes('overflow:hidden') && NO_ROOM.test(style))

/** Not what is transparent: pages that fade their text in begin that way. */
const HIDING =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|font-size:0(?:\.0+)?(?:px|pt|em|rem|%)?(?:;|!|$)|(?:left|top|right|text-indent):-\d{3,}|clip:rect\(0|clip-path:inset\(50%)/
const NO_ROOM = /(?:^|;|max-)(?:width|height):0(?:px)?(?:;|!|$)/
const FOR_MACHINES =
  /^(sr-only|visually-?hidden|screen-reader-(text|only)|element-invisible|assistive-text|u-hidden-visually)$/
const FURNITURE_ROLES = new Set([
  ...['navigation', 'search', 'dialog', 'alertdialog', 'menu', 'menubar', 'toolbar', 'tooltip'],
])
const OWN_FOOT = new Set(['article', 'main', 'section', 'blockquote'])
const BANNER =
  /^((cookies?|consent|gdpr|ccpa)[-_]?(eu[-_]?)?(banner|bar|notice|popup|modal|overlay|consent|dialog|message|disclaimer|law[-_]info[-_]bar)|onetrust-.+|ot-sdk-.+|cybotcookiebot.+|usercentrics-.+|didomi-.+|qc-cmp2-.+|fc-consent-root|sp_message_container.*|truste.*|eu-cookie-.+|cc-window)$/

const tokens = (value: string | undefined): string[] =>
  (value ?? '').slice(0, 1_000).toLowerCase().split(/\s+/).filter(Boolean)

/** A style as it works: without comments, spaces, capitals and characters in disguise. */
function plainStyle(style: string): string {
  return style
    .replaceAll(/&#(x?)([0-9a-f]{1,6});?/gi, (_, hex, digits) => characterOf(digits, hex ? 16 : 10))
    .replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_, digits) => characterOf(digits, 16))
    .replaceAll(/\/\*[^*]*\*\//g, '')
    .replaceAll(/\s+/g, '')
    .toLowerCase()
}

function characterOf(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
