// Documents of callers that take long to read.
import { expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { packZip } from '../report/export/zip.ts'
import { readDocuments } from './own-sources.ts'

const actor = { orgId: newId('org') }
const docx = (xml: string) => ({
  name: 'a.docx',
  content: Buffer.from(packZip([{ name: 'word/document.xml', text: xml }])).toString('base64'),
  encoding: 'base64' as const,
})

test.for(['<w:t ', '<w:p ', '<w:tab '])('tags without an end, as %s, take no longer', async (tag) => {
  const xml = `${tag.repeat(2_500_000)}><w:p><w:t>Berth 14 opens.</w:t></w:p>`
  const [read] = await readDocuments(actor, [docx(xml)], 1)
  expect(read?.page.text).toContain('Berth 14 opens.')
})

test('documents that cannot be read in time are refused', async () => {
  const text = { name: 'a.txt', content: 'Berth 14 opens.', encoding: 'text' as const }
  await expect(readDocuments(actor, [text], 1, AbortSignal.abort())).rejects.toMatchObject({
    code: 'invalid_fields',
  })
})
