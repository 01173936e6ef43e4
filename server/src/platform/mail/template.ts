// Builds the text and HTML of a mail from paragraphs and at most two links.
import { Html, html, webUrl } from '../../kernel/html.ts'
import { directionOf, type Language } from '../texts/language.ts'
import { translate, translated } from '../texts/texts.ts'
import type { MailButton, MailContent, RenderedMail } from './message.ts'

/** A mail of paragraphs and at most two links. */
export const plainMail = (
  subject: string,
  paragraphs: readonly string[],
  button?: MailButton,
  other?: MailButton,
): MailContent => ({ subject, paragraphs, button, other })

/** The mail in a language. Null if one of its texts has no translation: a mail never mixes languages. */
export function translateMail(language: Language, mail: MailContent): MailContent | null {
  const subject = translate(language, mail.subject)
  const paragraphs = mail.paragraphs.map((paragraph) => translate(language, paragraph))
  const [button, other] = [mail.button, mail.other].map((link) => {
    const label = link && translate(language, link.label)
    return link && (label === null || label === undefined ? null : { ...link, label })
  })
  if (subject === null || button === null || other === null) return null
  const whole = paragraphs.filter((paragraph) => paragraph !== null)
  return whole.length === paragraphs.length ? { subject, paragraphs: whole, button, other } : null
}

/** Both forms of a mail with the same content. */
export function renderMail(
  { subject, paragraphs, button, other }: MailContent,
  language: Language = 'en',
): Omit<RenderedMail, 'to'> {
  const links = [button, other].filter((each) => each !== undefined)
  const colon = language === 'fr' ? '\u00a0:' : ':'
  const lines = [...paragraphs, ...links.map(({ label, url }) => `${label}${colon}\n${webUrl(url)}`)]
  const body = html`<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>
${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>\n`)}${button ? buttonHtml(button) : ''}${other ? linkHtml(other) : ''}`
  return {
    subject,
    text: `${lines.join('\n\n')}\n\nCowrie\n`,
    html: layout(language, subject, paragraphs[0] ?? subject, body),
  }
}

// The colours of the button are readable in light and dark themes, and it is large enough for touch. The address below
// it is for mail programs that show no buttons.
function buttonHtml({ label, url }: MailButton): Html {
  const href = webUrl(url)
  return html`<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:6px;background-color:#33308a;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all;opacity:0.7"><bdi dir="ltr">${href}</bdi></p>`
}

const linkHtml = ({ label, url }: MailButton): Html =>
  html`<p style="margin:0 0 16px;font-size:13px"><a href="${webUrl(url)}">${label}</a></p>`

/**
 * The cowrie shell as a small inline drawing. Mail programs that remove drawings show the name alone. The colour is readable
 * on white and on black.
 */
const MARK = new Html(
  '<svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true" style="vertical-align:-4px"><path fill="#6f6cd9" fill-rule="evenodd" d="M16.5 1.5c8 0 11.5 7 11.5 14.2S23.5 30.5 16 30.5 4 23.2 4 15.7 8.5 1.5 16.5 1.5ZM16.8 4.5c-5.2 6-5.2 17-.8 23 5.2-6 5.6-17 .8-23Z"/></svg>',
)

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const FOOTER = 'You receive this mail because you have an account at Cowrie. It is not advertising.'

/**
 * The HTML document: one column that fits a phone and leaves the colours to the theme of the reader. `preview` is the text
 * that mail programs show beside the subject.
 */
function layout(language: Language, title: string, preview: string, body: Html): string {
  const spoken = html`lang="${language}" dir="${directionOf(language)}"`
  return html`<!doctype html>
<html ${spoken}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
</head>
<body style="margin:0;padding:0">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<div role="article" ${spoken} style="max-width:560px;margin:0 auto;padding:24px 20px;${new Html(FONT)};font-size:16px;line-height:1.5">
<p style="margin:0 0 24px;font-size:17px;font-weight:600">${MARK} Cowrie</p>
${body}
<p style="margin:32px 0 0;font-size:13px;opacity:0.7">${translated(language, FOOTER)}</p>
</div>
</body>
</html>
`.markup
}

/**
 * Text of another user, such as an organisation name, without characters that mail programs turn into links. Readers trust
 * our mail, so it must not contain foreign links.
 */
export const withoutAutoLinks = (words: string): string =>
  words.replace(/(?<=\S)[./:@。．｡․／：＠](?=\S)/gu, ' ')
