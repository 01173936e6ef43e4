// What axe, which knows the rules for readers without eyes or hands, has against a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { isSoak } from '../../server/test/soak.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }

/** Half way from one colour to another there is no contrast to speak of. */
const SETTLED =
  'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)'

const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }

const CONTRAST = 'color-contrast'

/**
 * Every text on the page by all that its contrast depends on: its colour, size and weight, and what is behind it. Layers that
 * are placed over others count as a look of their own.
 */
const LOOKS = `(() => {
  const groundOf = (element) => {
    const grounds = []
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(at)
      grounds.push([backgroundColor, backgroundImage, opacity, position])
    }
    return grounds.filter((ground) => String(ground) !== 'rgba(0, 0, 0, 0),none,1,static')
  }
  const hasText = ({ childNodes }) =>
    [...childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim())
  const look = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    return JSON.stringify([color, fontSize, fontWeight, textShadow, groundOf(element)])
  }
  const texts = [...document.querySelectorAll('body, body *')].filter((element) => hasText(element) || element.matches('input, select, textarea'))
  return [...new Set(texts.filter((element) => element.checkVisibility()).map(look))]
})()`

/** Looks in which axe found enough contrast before. To measure it takes longer than all other rules together. */
const known = new Set<string>()

/** Serious and critical violations of all rules, each with the elements that it is about. */
export const axeFaults = (page: Page): Promise<string[]> => faultsOf(page, true)

/** Texts that do not stand out from what is behind them. */
export const contrastFaults = (page: Page): Promise<string[]> => faultsOf(page, false)

async function faultsOf(page: Page, everyRule: boolean): Promise<string[]> {
  await page.evaluate(SETTLED)
  const looks = await page.evaluate<string[]>(LOOKS)
  const isKnown = !isSoak && looks.every((look) => known.has(look))
  if (isKnown && !everyRule) return []
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(SOURCE)
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify({
      resultTypes: ['violations'],
      preload: false,
      runOnly: everyRule ? RULES : [CONTRAST],
      rules: isKnown ? { [CONTRAST]: { enabled: false } } : {},
    })}).then(({ violations }) => violations)`,
  )
  if (!found.some(({ id }) => id === CONTRAST)) for (const look of looks) known.add(look)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}
