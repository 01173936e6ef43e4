// Pages of many kinds, as fetched.

const PROSE = [
  'The harbour of Mombasa handled 1.62 million containers in the year to June, the port authority said on Tuesday, which is',
  'more than in any year before it. Ships waited 3.1 days on average, down from 4.4 days a year earlier, because two new',
  'cranes, bought in 2024, have been at work since March. Traders in Kampala and Kigali, who depend on the harbour, said that',
  'the change is felt in their prices, although the cost of the road from the coast has risen with that of fuel.',
].join(' ')

export const article = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8">
<title>Record year for Mombasa | The Coast</title><meta property="og:title" content="Record year for Mombasa &amp; its harbour">
<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","datePublished":"2026-07-14T23:30:00-05:00"}]}</script>
<style>p { color: red }</style></head><body class="cookie-notice-shown">
<nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul></nav>
<div id="cookie-banner"><p>We use cookies to make this site better. Accept all.</p></div>
<main><article><h1>Record year for Mombasa &amp; its harbour</h1>
<p>${PROSE}</p><!-- a note of the editor --><h2>What the traders say</h2>
<p>“We pay less,” said Amina&nbsp;Otieno, <a href="https://example.com/who">who imports</a> tiles<sup>[1]</sup> by the 10<sup>6</sup>. ${PROSE}</p>
<ul><li>Containers: <b>1.62</b> million</li><li><p>Waiting: 3.1 days</p></li></ul><p>${PROSE}</p>
<img src="https://example.com/pixel.gif" alt="a ship"></article></main>
<script>document.write('never run')</script><footer><p>© The Coast. All rights reserved.</p></footer></body></html>`

export const manual = `<html><head><title>Retries</title></head><body><h1>Retries</h1><p>Call <code>retry()</code>:</p>
<pre><code>for (const wait of waits) {<br>    await sleep(wait) // &lt;ms&gt;
}</code></pre><h2>Options</h2><dl><dt>times</dt><dd>How often, at most.</dd></dl></body></html>`

export const table = `<html lang=fr><title>Prix</title><body><h1>Prix du maïs</h1><table><caption>Par sac de 90 kg</caption>
<tr><th>Ville<th>2025<th>2026<tr><td>Nairobi<td>4 200<td>3 900<tr><td>Kisumu<td>4 050<td><p>3 700</table></body></html>`

/** Text that readers do not see. */
export const hidden = [
  '<div hidden>SECRET one</div>',
  '<div style="color:red; DISPLAY : none !important">SECRET two <p>SECRET three</p></div>',
  '<span aria-hidden="true">SECRET four</span>',
  '<template><p>SECRET five</p></template>',
  '<div style="display:/* x */n&#111;ne">SECRET six</div>',
  '<p style="position:absolute;left:-9999px">SECRET seven</p>',
  '<p style="font-size:0">SECRET eight</p>',
  '<noscript>SECRET nine</noscript><!-- SECRET ten -->',
  '<p class="x sr-only">SECRET eleven</p><svg><text>SECRET twelve</text></svg>',
  '<p hidden>SECRET thirteen<p>shown after it',
  '<div style="height:0;overflow:hidden">SECRET fourteen</div>',
  '<dialog>SECRET fifteen</dialog><select><option>SECRET sixteen</select>',
]

/** A PDF with one page per text, and one line per line of text. */
export function pdf(pages: readonly string[], encryption = ''): Uint8Array {
  const streams = pages.map((page) => {
    const lines = page.split('\n').map((line) => `(${line}) Tj 0 -14 Td`)
    return `BT /F1 12 Tf 72 720 Td ${lines.join('\n')} ET`
  })
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams.flatMap((stream, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
    '<< /Title (A small report) >>',
  ]
  return assembled(objects, encryption)
}

/** Encrypted with an unknown password. */
export const lockedPdf = (): Uint8Array =>
  pdf(
    ['This text is encrypted.'],
    `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<01> <01>]`,
  )

function assembled(objects: readonly string[], encryption: string): Uint8Array {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const place = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R ${encryption} >>`
  return new TextEncoder().encode(`${file}${table}${trailer}\nstartxref\n${file.length}\n%%EOF`)
}
