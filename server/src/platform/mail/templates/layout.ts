// The frame of every mail: one column that fits a phone and leaves background and text colour to the reader's own theme.
import { Html, html } from '../../../kernel/html.ts'

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** The whole document. `preview` is the line that mail programs show beside the subject. */
export function layout(title: string, preview: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
</head>
<body style="margin:0;padding:0">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<div role="article" lang="en" style="max-width:560px;margin:0 auto;padding:24px 20px;${new Html(FONT)};font-size:16px;line-height:1.5">
<p style="margin:0 0 24px;font-weight:600">Cowrie</p>
${body}
<p style="margin:32px 0 0;font-size:13px;opacity:0.7">You receive this mail because of an account at Cowrie. It is not advertising.</p>
</div>
</body>
</html>
`.markup
}
