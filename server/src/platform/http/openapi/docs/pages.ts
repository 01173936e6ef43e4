// The pages of the documentation: quickstart, guides, one page per area, errors, shapes, staff operations, search.
import { Html, html } from '../../../../kernel/html.ts'
import type { Language } from '../../../texts/language.ts'
import { resolveComponents } from '../components.ts'
import { areaTitle } from './areas.ts'
import { type Document, isRefusal, isStaff, type ListedOperation, operationsByTag } from './document.ts'
import { GUIDE_NAMES, GUIDE_TITLES, type GuideName, QUICKSTART, readGuide } from './guides.ts'
import { type Assets, type Frame, type PageParts, renderPage } from './layout.ts'
import { renderBlocks } from './markdown.ts'
import { ERRORS_PATH, methodMark, operationEntry, refusalId } from './operation.ts'
import { type ErrorEntry, findEntries, type SearchEntry, searchIndex } from './search.ts'
import { prose, SHAPES_PATH, shape, shapeId } from './shape.ts'
import { TEXTS, type Texts } from './texts.ts'

export type Docs = {
  /** Null where there is no such page. */
  page(path: string, language: Language): string | null
  searchPage(query: string, language: Language): string
  readonly index: readonly SearchEntry[]
  readonly paths: readonly string[]
}

const NOTHING = new Html('')

export function createDocs(published: Document, assets: Assets, baseUrl: string): Docs {
  const document = resolveComponents(published)
  const { info, components } = document
  const { schemas } = components
  const groups = operationsByTag(document)
  const areas = areasOf(groups, '/docs/api', (listed) => !isStaff(listed))
  const staffAreas = areasOf(groups, '/docs/staff', isStaff)
  const errors = errorsOf(groups.flatMap(({ operations }) => operations))
  const addressOf = ({ operation }: ListedOperation): string =>
    addresses.get(operation.operationId) ?? '/docs'
  const addresses = new Map(
    [...areas, ...staffAreas].flatMap(([path, { operations }]) =>
      operations.map(({ operation }) => [operation.operationId, `${path}#${operation.operationId}`] as const),
    ),
  )
  const index = searchIndex(document, addressOf, errors)

  const render = (language: Language, parts: PageParts): string => {
    const frame: Frame = {
      language,
      assets,
      name: info.title,
      areas: [...areas.values()].map(({ tag }) => tag),
      staffAreas: [...staffAreas.values()].map(({ tag }) => tag),
    }
    return renderPage(frame, parts)
  }

  function guidePage(name: string, path: string, texts: Texts, language: Language): PageParts {
    const blocks = readGuide(name, baseUrl)
    const at = GUIDE_NAMES.indexOf(name as GuideName)
    const next = GUIDE_NAMES[at + 1]
    const after = next
      ? html`<p class="next">${texts.next}: <a href="/docs/guides/${next}">${GUIDE_TITLES[next][language]}</a></p>`
      : NOTHING
    const notice = texts.englishOnly === '' ? NOTHING : html`<p class="notice">${texts.englishOnly}</p>`
    const rest = name === QUICKSTART ? allOperations(areas, texts, language) : NOTHING
    return {
      path,
      title: name === QUICKSTART ? texts.quickstart : GUIDE_TITLES[name as GuideName][language],
      main: html`${notice}<div class="guide" lang="en" dir="ltr">${renderBlocks(blocks, texts.output)}</div>${after}${rest}`,
      within: blocks.flatMap((block) =>
        block.kind === 'heading' && block.level === 2 ? [{ href: `#${block.id}`, text: block.text }] : [],
      ),
      hasSamples: true,
    }
  }

  function areaPage(path: string, { tag, operations }: Area, texts: Texts, language: Language): PageParts {
    const title = areaTitle(tag, language)
    const entries = operations.map((listed) => operationEntry(listed, { schemas, texts, baseUrl }))
    return {
      path,
      title,
      main: html`<h1>${title}</h1>${tokenForm(texts)}${entries}`,
      within: operations.map(({ method, path: address, operation }) => ({
        href: `#${operation.operationId}`,
        text: `${method} ${address}`,
      })),
      hasSamples: true,
    }
  }

  function partsOf(path: string, language: Language): PageParts | null {
    const texts = TEXTS[language]
    const area = areas.get(path) ?? staffAreas.get(path)
    if (area) return areaPage(path, area, texts, language)
    if (path === '/docs') return guidePage(QUICKSTART, path, texts, language)
    const guide = GUIDE_NAMES.find((name) => path === `/docs/guides/${name}`)
    if (guide) return guidePage(guide, path, texts, language)
    if (path === SHAPES_PATH) return { path, title: texts.shapes, main: shapesPage(document, texts) }
    if (path === ERRORS_PATH) return { path, title: texts.errors, main: errorsPage(document, errors, texts) }
    if (path === '/docs/staff' && staffAreas.size > 0)
      return {
        path,
        title: texts.staff,
        main: html`<h1>${texts.staff}</h1>${operationList(staffAreas, language)}`,
      }
    return null
  }

  return {
    index,
    paths: [
      '/docs',
      ...GUIDE_NAMES.map((name) => `/docs/guides/${name}`),
      ...areas.keys(),
      ERRORS_PATH,
      SHAPES_PATH,
      ...(staffAreas.size > 0 ? ['/docs/staff'] : []),
      ...staffAreas.keys(),
    ],
    page(path, language) {
      const parts = partsOf(path, language)
      return parts && render(language, parts)
    },
    searchPage(query, language) {
      const texts = TEXTS[language]
      const found = findEntries(index, query)
      const list = found.map(
        ([address, title, words]) =>
          html`<li><a href="/docs${address}">${title}</a> <small>${words}</small></li>`,
      )
      const main = html`<h1>${texts.found}</h1>${found.length > 0 ? html`<ul class="results" lang="en">${list}</ul>` : html`<p>${texts.nothing}</p>`}`
      return render(language, { path: '/docs/search', title: texts.found, main, query })
    },
  }
}

type Area = { readonly tag: string; readonly operations: readonly ListedOperation[] }

function areasOf(
  groups: readonly Area[],
  base: string,
  belongs: (listed: ListedOperation) => boolean,
): Map<string, Area> {
  const areas = groups
    .map(({ tag, operations }) => ({ tag, operations: operations.filter(belongs) }))
    .filter(({ operations }) => operations.length > 0)
  return new Map(areas.map((area) => [`${base}/${area.tag}`, area]))
}

/** The former reference was one page. Its anchors are here, and lead on. */
function allOperations(areas: ReadonlyMap<string, Area>, texts: Texts, language: Language): Html {
  return html`<details class="all"><summary>${texts.allOperations}</summary>${operationList(areas, language)}</details>`
}

function operationList(areas: ReadonlyMap<string, Area>, language: Language): Html {
  const entry = (page: string, { method, path, operation: { operationId } }: ListedOperation): Html =>
    html`<li id="${operationId}"><a href="${page}#${operationId}">${methodMark(method)} <span>${path}</span></a></li>`
  const lists = [...areas].map(
    ([page, { tag, operations }]) =>
      html`<section id="tag-${tag}"><h2><a href="${page}">${areaTitle(tag, language)}</a></h2><ul>${operations.map((each) => entry(page, each))}</ul></section>`,
  )
  return html`<div class="operations">${lists}</div>`
}

function tokenForm(texts: Texts): Html {
  return html`<form class="token" hidden><label for="token">${texts.token}</label><input id="token" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="token-help"><p class="help" id="token-help">${texts.tokenHelp}</p></form>`
}

function shapesPage({ components }: Document, texts: Texts): Html {
  const entries = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<article class="entry" id="${shapeId(name)}"><h2><a href="#${shapeId(name)}">${name}</a></h2>${shape(schema)}</article>`,
  )
  return html`<h1>${texts.shapes}</h1>${entries}`
}

function errorsPage(document: Document, errors: readonly ErrorEntry[], texts: Texts): Html {
  const rows = errors.map(
    ({ code, status, text }) =>
      html`<div id="${refusalId(code)}"><dt><b class="status">${status}</b> <code>${code}</code></dt><dd>${text}</dd></div>`,
  )
  const credentials = Object.entries(document.components.securitySchemes).map(
    ([name, { in: place, name: field, bearerFormat, description }]) => {
      const how = bearerFormat
        ? html`<code>Authorization: Bearer ${bearerFormat}</code>`
        : html`${place ?? ''} <code>${field ?? ''}</code>`
      return html`<div><dt><code>${name}</code></dt><dd>${how}${description ? prose(description) : NOTHING}</dd></div>`
    },
  )
  return html`<h1>${texts.errors}</h1>${prose(document.info.description ?? '')}
<dl class="shape">${rows}</dl>
<section id="credentials"><h2>${texts.credentials}</h2><dl class="shape">${credentials}</dl></section>`
}

/** Every error code of all operations, once, with its message, by status. */
function errorsOf(operations: readonly ListedOperation[]): ErrorEntry[] {
  const known = new Map<string, ErrorEntry>()
  for (const { operation } of operations)
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      if (!isRefusal(status)) continue
      for (const [code, { value }] of Object.values(content).flatMap(({ examples = {} }) =>
        Object.entries(examples),
      ))
        known.set(code, { code, status, text: sentenceOf(value) })
    }
  return [...known.values()].sort((a, b) => a.status.localeCompare(b.status) || a.code.localeCompare(b.code))
}

/** In the OpenAI-compatible API the message is one level deeper. */
function sentenceOf(refusal: unknown): string {
  const { error = '' } = refusal as { error?: string | { message: string } }
  return typeof error === 'string' ? error : error.message
}
