import { expect, test } from 'vitest'
import { createPdf, PAGE, WIDTH } from './pen.ts'

const META = { direction: 'ltr', language: 'en', title: 'Letters', issuedAt: new Date(0) } as const
const pdfOf = async (text: string) =>
  Buffer.from(
    await createPdf(META, (pen) => pen.write(text, pen.y, { x: PAGE.margin, width: WIDTH }, { size: 10 })),
  )

test('a document has the same bytes after others, and keeps its own characters for copying', async () => {
  const words = await pdfOf('إيصال إيصال')
  // Drawn with the glyph of the space.
  expect(await pdfOf('إيصال\u00a0إيصال')).not.toEqual(words)
  expect(await pdfOf('إيصال إيصال')).toEqual(words)
})
