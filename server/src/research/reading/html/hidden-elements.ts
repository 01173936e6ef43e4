// Detects elements that readers do not see, or that repeat on every page of a site. They are not content.
import { HEADINGS, NON_TEXT } from './elements.ts'
import type { HtmlAttributes } from './html-tokens.ts'

/** Elements that no reader sees. */
export function isHidden(name: string, attributes: HtmlAttributes): boolean {
  if (NON_TEXT.has(name)) return true
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true
  if (attributes.get('aria-hidden')?.trim().toLowerCase() === 'true') return true
  const style = attributes.get('style')
  if (style && isHidingStyle(normalizeStyle(style))) return true
  return tokens(attributes.get('class')).some((each) => HIDDEN_CLASS.test(each))
}

/** Menus, banners and page footers. The footer of an article is content. */
export function isPageChrome(
  name: string,
  attributes: HtmlAttributes,
  around: readonly { readonly name: string }[],
): boolean {
  if (name === 'button') return !around.some((each) => HEADINGS.has(each.name) || each.name === 'summary')
  if (name === 'dialog') return !attributes.has('open')
  const role = attributes.get('role')?.trim().toLowerCase() ?? ''
  if (CHROME_ROLES.has(role)) return true
  if (name === 'footer' || role === 'contentinfo')
    return !around.some((each) => CONTENT_SECTIONS.has(each.name))
  return [attributes.get('id'), attributes.get('class')]
    .flatMap(tokens)
    .some((each) => CONSENT_BANNER.test(each))
}

const isHidingStyle = (style: string): boolean =>
  HIDING_STYLE.test(style) || (style.includes('overflow:hidden') && ZERO_SIZE.test(style))

/** Transparent text is not hidden: pages that fade in start that way. */
const HIDING_STYLE =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|font-size:0(?:\.0+)?(?:px|pt|em|rem|%)?(?:;|!|$)|(?:left|top|right|text-indent):-\d{3,}|clip:rect\(0|clip-path:inset\(50%)/
const ZERO_SIZE = /(?:^|;|max-)(?:width|height):0(?:px)?(?:;|!|$)/
const HIDDEN_CLASS =
  /^(sr-only|visually-?hidden|screen-reader-(text|only)|element-invisible|assistive-text|u-hidden-visually)$/
const CHROME_ROLES = new Set([
  ...['navigation', 'search', 'dialog', 'alertdialog', 'menu', 'menubar', 'toolbar', 'tooltip'],
])
const CONTENT_SECTIONS = new Set(['article', 'main', 'section', 'blockquote'])
const CONSENT_BANNER =
  /^((cookies?|consent|gdpr|ccpa)[-_]?(eu[-_]?)?(banner|bar|notice|popup|modal|overlay|consent|dialog|message|disclaimer|law[-_]info[-_]bar)|onetrust-.+|ot-sdk-.+|cybotcookiebot.+|usercentrics-.+|didomi-.+|qc-cmp2-.+|fc-consent-root|sp_message_container.*|truste.*|eu-cookie-.+|cc-window)$/

const tokens = (value: string | undefined): string[] =>
  (value ?? '').slice(0, 1_000).toLowerCase().split(/\s+/).filter(Boolean)

/** Normalizes a style: no comments, spaces, capitals or escapes. */
function normalizeStyle(style: string): string {
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
