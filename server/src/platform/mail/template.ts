// The plainest mail: a few paragraphs and at most one thing to do. Others are written in its manner.

import { type Html, html, webUrl } from '../../kernel/html.ts'
import type { MailContent } from './message.ts'
import { layout } from './templates/layout.ts'

export type MailButton = { readonly label: string; readonly url: string }

/** Both forms of a mail from the same words, so that neither says more than the other. `other` is a way less taken. */
export function plainMail(
  subject: string,
  paragraphs: readonly string[],
  button?: MailButton,
  other?: MailButton,
): MailContent {
  const ways = [button, other].filter((way) => way !== undefined)
  const lines = [...paragraphs, ...ways.map(({ label, url }) => `${label}:\n${webUrl(url)}`)]
  const body = html`<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>
${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>\n`)}${button ? buttonHtml(button) : ''}${other ? linkHtml(other) : ''}`
  return {
    subject,
    text: `${lines.join('\n\n')}\n\nCowrie\n`,
    html: layout(subject, paragraphs[0] ?? subject, body),
  }
}

// The button has colours of its own that read well on light and on dark, and is large enough for a thumb. The
// address below it is for those whose mail program shows no buttons.
function buttonHtml({ label, url }: MailButton): Html {
  const href = webUrl(url)
  return html`<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:14px 22px;border-radius:8px;background-color:#0f5f4c;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all;opacity:0.7">${href}</p>`
}

const linkHtml = ({ label, url }: MailButton): Html =>
  html`<p style="margin:0 0 16px;font-size:13px"><a href="${webUrl(url)}">${label}</a></p>`
