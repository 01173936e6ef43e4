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

const chunk = (type: string, data: string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), Buffer.from(data), Buffer.alloc(4, 0x21)])
}
/** Most of its bytes are a remark, so it has few control characters. */
const PICTURE = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  chunk('IHDR', '\0\0\0\x01\0\0\0\x01\x08\0\0\0\0'),
  chunk('tEXt', `Comment\0${'Berth 14 opens. '.repeat(100)}`),
])

test.for([
  ['a picture', 'a.png', PICTURE.toString('base64'), 'base64', 'PNG'],
  ['a picture with the name of a text', 'a.txt', PICTURE.toString('base64'), 'base64', 'PNG'],
  ['a picture with the name of a page', 'a.html', PICTURE.toString('base64'), 'base64', 'PNG'],
  ['a picture sent as text', 'a.md', PICTURE.toString('latin1'), 'text', 'PNG'],
  ['a damaged picture sent as text', 'a.md', PICTURE.toString('utf8'), 'text', 'PNG'],
  ['an office document with another name', 'a.txt', docx('<w:p/>').content, 'base64', 'ZIP'],
] as const)('%s is refused by its kind', async ([, name, content, encoding, kind]) => {
  await expect(readDocuments(actor, [{ name, content, encoding }], 1)).rejects.toMatchObject({
    code: 'invalid_fields',
    detail: {
      fields: [
        { path: 'documents.0.content', message: `is a ${kind} file, not a text, HTML, PDF or DOCX document` },
      ],
    },
  })
})

test('a text with null characters is refused, and one that mentions a picture is read', async () => {
  const send = (content: string) => readDocuments(actor, [{ name: 'a.txt', content, encoding: 'text' }], 1)
  await expect(send(`Berth 14 opens.\0${'It is wide. '.repeat(99)}`)).rejects.toMatchObject({
    code: 'invalid_fields',
  })
  const [read] = await send('PNG files begin with PNG. MZ and BM are initials, GIF89 is a year.')
  expect(read?.page.text).toContain('PNG files')
})
