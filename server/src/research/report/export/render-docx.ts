// Renders the report as an office document (Office Open XML): headings, lists, tables and links that word processors know.
import { isRightToLeft, splitCodes } from '../../../platform/texts/codes-in-text.ts'
import { DOCX_TYPE } from '../../reading/read-page.ts'
import type { CitedText, ReportBlock } from '../draft-blocks.ts'
import type { ReportDocument } from '../report-document.ts'
import { type ListedSource, splitEndMark } from '../source-format.ts'
import { packZip } from './zip.ts'

/** Deterministic: the date of the file is the day of the report. */
export function renderDocx({ title, parts, direction }: ReportDocument, issuedAt: Date): Uint8Array {
  const state: DocxState = { isRtl: direction === 'rtl', links: [], orderedLists: 0 }
  const body = [paragraph('Title', [run(title)], title), ...parts.map((part) => renderBlock(part, state))]
  return packZip([
    { name: '[Content_Types].xml', text: CONTENT_TYPES },
    { name: '_rels/.rels', text: relations(ROOT_RELATIONS) },
    { name: 'docProps/core.xml', text: coreProperties(title, issuedAt) },
    { name: 'word/document.xml', text: documentXml(body.join('')) },
    { name: 'word/styles.xml', text: STYLES },
    { name: 'word/numbering.xml', text: numbering(state.orderedLists) },
    {
      name: 'word/_rels/document.xml.rels',
      text: relations([...DOCUMENT_RELATIONS, ...state.links.map(linkRelation)]),
    },
  ])
}

/** Targets of links, and the ordered lists so far: each has its own numbers. */
type DocxState = { readonly isRtl: boolean; readonly links: string[]; orderedLists: number }

function renderBlock(part: ReportBlock, state: DocxState): string {
  switch (part.kind) {
    case 'heading':
      return paragraph(`Heading${part.level - 1}`, [run(part.text)], part.text)
    case 'paragraph':
      return paragraph('Normal', runsOf(part.lines), textOf(part.lines))
    case 'list': {
      if (part.isOrdered) state.orderedLists += 1
      const list = part.isOrdered ? state.orderedLists + 1 : 1
      return part.items.map((lines) => paragraph('ListItem', runsOf(lines), textOf(lines), list)).join('')
    }
    case 'table':
      return renderTable(part)
    case 'quote':
      return part.text
        .split('\n')
        .map((line) => paragraph('Quote', [run(line)], line))
        .join('')
    case 'references':
      return part.sources.map((source) => renderSource(source, `[${source.n}] `, state)).join('')
    case 'sources':
      return part.sources.map((source) => renderSource(source, `${source.n}. `, state)).join('')
  }
}

/** `text` decides the direction, and `list` the numbering. */
function paragraph(style: string, runs: readonly string[], text: string, list = 0): string {
  const number = list === 0 ? '' : `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`
  return paragraphIn(isRightToLeft(text), style, runs, number)
}

function paragraphIn(isRtl: boolean, style: string, runs: readonly string[], number = ''): string {
  const direction = isRtl ? '<w:bidi/>' : ''
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/>${number}${direction}</w:pPr>${runs.join('')}</w:p>`
}

/** Codes within a text from right to left are runs from left to right. */
function run(text: string, style = ''): string {
  return isRightToLeft(text) ? rtlRuns(text, style) : runOf(text, style, '')
}

function rtlRuns(text: string, style: string): string {
  // The direction of the runs replaces the marks.
  return splitCodes(text.replaceAll(/[\u2068\u2069]/g, ''))
    .map((part) => runOf(part.text, style, part.isCode ? '' : '<w:rtl/>'))
    .join('')
}

function runOf(text: string, style: string, direction: '' | '<w:rtl/>'): string {
  const properties = `${style === '' ? '' : `<w:rStyle w:val="${style}"/>`}${direction}`
  return `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
}

const citations = (cites: readonly number[]): string => cites.map((n) => `[${n}]`).join('')

const runsOf = (lines: readonly CitedText[]): string[] =>
  lines.flatMap(({ text, cites }, at) => {
    const space = at === 0 ? '' : ' '
    if (cites.length === 0) return [run(space + text)]
    const { body, end } = splitEndMark(text)
    return [run(`${space}${body}`), run(citations(cites), 'Citation'), ...(end === '' ? [] : [run(end)])]
  })

const textOf = (lines: readonly CitedText[]): string => lines.map(({ text }) => text).join(' ')

function renderTable({ head, rows }: ReportBlock & { kind: 'table' }): string {
  const width = Math.max(head.length, ...rows.map(({ cells }) => cells.length), 1)
  const columns = Array.from({ length: width }, (_, at) => at)
  const cell = (runs: readonly string[], text: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="${Math.floor(9_000 / width)}" w:type="dxa"/></w:tcPr>${paragraph('Normal', runs, text)}</w:tc>`
  const titles = columns.map((at) => cell([run(head[at] ?? '', 'Strong')], head[at] ?? ''))
  const body = rows.map(({ cells, cites }) => {
    const filled = columns.map((at) => {
      const text = cells[at] ?? ''
      return cell(at === width - 1 ? [run(text), run(citations(cites), 'Citation')] : [run(text)], text)
    })
    return `<w:tr>${filled.join('')}</w:tr>`
  })
  const grid = columns.map(() => `<w:gridCol w:w="${Math.floor(9_000 / width)}"/>`).join('')
  return `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>${titles.join('')}</w:tr>${body.join('')}</w:tbl>${paragraph('Normal', [], '')}`
}

/** The paragraph has the direction of the report, and the title and the site keep theirs. */
function renderSource(source: ListedSource, mark: string, { isRtl, links }: DocxState): string {
  const { link, title, site, note } = source
  const ours = (text: string) => (isRtl ? rtlRuns(text, '') : run(text))
  const about = [ours(' ('), run(site), ours(`)${note}`)]
  if (!link) return paragraphIn(isRtl, 'Normal', [ours(mark), run(title), ...about])
  links.push(link)
  const linked = `<w:hyperlink r:id="link${links.length}">${run(title, 'Hyperlink')}</w:hyperlink>`
  return paragraphIn(isRtl, 'Normal', [ours(mark), linked, ...about])
}

/** Characters that XML forbids are left out. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const documentXml = (body: string): string =>
  `${HEADER}<w:document xmlns:w="${MAIN}" xmlns:r="${RELATIONS}"><w:body>${body}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`

const CONTENT_TYPES = `${HEADER}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${DOCX_TYPE}.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`

const ROOT_RELATIONS = [
  `<Relationship Id="document" Type="${RELATIONS}/officeDocument" Target="word/document.xml"/>`,
  '<Relationship Id="core" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>',
]
const DOCUMENT_RELATIONS = [
  `<Relationship Id="styles" Type="${RELATIONS}/styles" Target="styles.xml"/>`,
  `<Relationship Id="numbering" Type="${RELATIONS}/numbering" Target="numbering.xml"/>`,
]
const linkRelation = (url: string, at: number): string =>
  `<Relationship Id="link${at + 1}" Type="${RELATIONS}/hyperlink" Target="${escapeXml(url)}" TargetMode="External"/>`

const relations = (items: readonly string[]): string =>
  `${HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`

function coreProperties(title: string, issuedAt: Date): string {
  const day = `${issuedAt.toISOString().slice(0, 19)}Z`
  return `${HEADER}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(title)}</dc:title><dc:creator>Cowrie</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${day}</dcterms:created></cp:coreProperties>`
}

const LISTS = [
  ['0', 'bullet', '•'],
  ['1', 'decimal', '%1.'],
] as const

/** The first is of all bullet lists. Each ordered list starts at 1. */
function numbering(orderedLists: number): string {
  const kinds = LISTS.map(
    ([id, format, text]) =>
      `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="425" w:hanging="425"/></w:pPr></w:lvl></w:abstractNum>`,
  )
  const ordered = Array.from(
    { length: orderedLists },
    (_, at) =>
      `<w:num w:numId="${at + 2}"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`,
  )
  return `${HEADER}<w:numbering xmlns:w="${MAIN}">${kinds.join('')}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${ordered.join('')}</w:numbering>`
}

const headingStyle = (level: number, size: number): string =>
  `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="280" w:after="80"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr></w:style>`
const STYLES = `${HEADER}<w:styles xmlns:w="${MAIN}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Arial" w:eastAsia="Arial"/><w:sz w:val="21"/><w:szCs w:val="21"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="200"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="36"/><w:szCs w:val="36"/></w:rPr></w:style>${headingStyle(1, 28)}${headingStyle(2, 24)}${headingStyle(3, 22)}<w:style w:type="paragraph" w:styleId="ListItem"><w:name w:val="List Paragraph"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="60"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/><w:basedOn w:val="Normal"/><w:pPr><w:pBdr><w:left w:val="single" w:sz="12" w:space="8" w:color="C8C8C8"/></w:pBdr><w:ind w:left="284"/></w:pPr><w:rPr><w:color w:val="555555"/></w:rPr></w:style><w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/><w:bCs/></w:rPr></w:style><w:style w:type="character" w:styleId="Citation"><w:name w:val="Citation"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0B57A4"/><w:u w:val="single"/></w:rPr></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="BFBFBF"/>`).join('')}</w:tblBorders></w:tblPr></w:style></w:styles>`
