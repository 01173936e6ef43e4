// The frame of every page of the documentation: bar with search, navigation by job, content. It works without a script.
import { Html, html } from '../../../../kernel/html.ts'
import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../../texts/language.ts'
import { areaTitle, groupAreas } from './areas.ts'
import { GUIDE_NAMES, GUIDE_TITLES } from './guides.ts'
import { SAMPLE_LANGUAGES } from './print-sample.ts'
import { TEXTS, type Texts } from './texts.ts'

export type Assets = { readonly script: string; readonly style: string; readonly icon: string }
export type Link = { readonly href: string; readonly text: string }

export type PageParts = {
  readonly path: string
  readonly title: string
  readonly main: Html
  /** Anchors of this page, below its entry in the navigation. */
  readonly within?: readonly Link[]
  readonly hasSamples?: boolean
  readonly query?: string
}

export type Frame = {
  readonly language: Language
  readonly assets: Assets
  readonly name: string
  readonly areas: readonly string[]
  readonly staffAreas: readonly string[]
}

const NOTHING = new Html('')

export function renderPage(frame: Frame, parts: PageParts): string {
  const { language, assets, name } = frame
  const texts = TEXTS[language]
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title} · ${name}</title>
<link rel="icon" type="image/svg+xml" href="/docs/${assets.icon}">
<link rel="stylesheet" href="/docs/${assets.style}">
<script type="module" src="/docs/${assets.script}"></script>
</head>
<body data-copy="${texts.copy}" data-copied="${texts.copied}">
<a class="skip" href="#main">${texts.skip}</a>
<header class="bar"><a class="brand" href="/docs"><img src="/docs/${assets.icon}" alt="" width="24" height="24">${name} <span>${texts.title}</span></a>
<form class="search" role="search" action="/docs/search"><label class="unseen" for="search">${texts.search}</label><input id="search" name="q" type="search" maxlength="200" autocomplete="off" spellcheck="false" placeholder="${texts.search}" value="${parts.query ?? ''}"><button class="quiet">${texts.searchButton}</button><div class="found" role="status" data-nothing="${texts.nothing}" hidden></div></form>
<nav class="links" aria-label="${name}"><a href="/app">${texts.app}</a></nav></header>
<div class="columns">
<nav class="contents" aria-label="${texts.contents}"><details><summary>${texts.contents}</summary>${navigation(frame, parts, texts)}</details></nav>
<main id="main" tabindex="-1">${parts.hasSamples ? sampleChoice(texts) : NOTHING}
${parts.main}
</main>
</div>
</body>
</html>`.markup
}

/** One choice for all samples of the page. The style sheet follows it, so it needs no script. */
function sampleChoice(texts: Texts): Html {
  const choices = Object.entries(SAMPLE_LANGUAGES).map(
    ([code, title], at) =>
      html`<input type="radio" name="samples" id="in-${code}" value="${code}" aria-label="${title}"${at === 0 ? html` checked` : NOTHING}><label for="in-${code}">${title}</label>`,
  )
  return html`<fieldset class="sample-choice"><legend>${texts.samplesIn}</legend>${choices}</fieldset>`
}

function navigation({ language, areas, staffAreas }: Frame, parts: PageParts, texts: Texts): Html {
  const isStaff = parts.path === '/docs/staff' || parts.path.startsWith('/docs/staff/')
  const link = (href: string, text: string): Html => {
    if (href !== parts.path) return html`<li><a href="${href}">${text}</a></li>`
    const within = parts.within ?? []
    return html`<li><a href="${href}" aria-current="page">${text}</a>${within.length > 0 ? html`<ul>${within.map((each) => html`<li><a href="${each.href}">${each.text}</a></li>`)}</ul>` : NOTHING}</li>`
  }
  const section = (title: string, links: readonly Html[]): Html =>
    html`<section><h2>${title}</h2><ul>${links}</ul></section>`
  const grouped = (tags: readonly string[], base: string): Html[] =>
    groupAreas(tags).map(({ name, tags: members }) =>
      section(
        texts[name],
        members.map((tag) => link(`${base}/${tag}`, areaTitle(tag, language))),
      ),
    )
  const languages = LANGUAGE_CODES.map(
    (code) =>
      html`<li><a href="?lang=${code}" lang="${code}" hreflang="${code}" rel="nofollow"${code === language ? html` aria-current="true"` : NOTHING}>${LANGUAGES[code]}</a></li>`,
  )
  const places = isStaff
    ? [
        section(texts.staff, [link('/docs', texts.backToDocs), link('/docs/staff', texts.allOperations)]),
        ...grouped(staffAreas, '/docs/staff'),
      ]
    : [
        section(texts.start, [link('/docs', texts.quickstart)]),
        section(
          texts.guides,
          GUIDE_NAMES.map((name) => link(`/docs/guides/${name}`, GUIDE_TITLES[name][language])),
        ),
        ...grouped(areas, '/docs/api'),
        section(texts.lookUp, [
          link('/docs/api/errors', texts.errors),
          link('/docs/api/shapes', texts.shapes),
          html`<li><a href="/openapi.json">${texts.document}</a></li>`,
          ...(staffAreas.length > 0 ? [link('/docs/staff', texts.staff)] : []),
        ]),
      ]
  return html`${places}<section><h2>${texts.language}</h2><ul class="languages">${languages}</ul></section>`
}
