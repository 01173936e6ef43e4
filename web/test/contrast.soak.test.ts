// Text contrast in every theme, light and dark.
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { PATIENT } from './browser.ts'
import { enterAt } from './people.ts'

const RATIO_MIN = 4.5
const SKINS = ['indigo', 'kente', 'savanna', 'mono']

const app = startApp()

test.for(['light', 'dark'] as const)('text stands out by %s, in every skin', async (mode) => {
  // Without motion, colours change immediately.
  const { page } = await app.open({ reducedMotion: 'reduce' })
  const faint: Record<string, string[]> = {}
  const look = async (name: string) => {
    for (const skin of SKINS) {
      await page.evaluate(
        `Object.assign(document.documentElement.dataset, ${JSON.stringify({ mode, skin })})`,
      )
      faint[`${name} in ${skin}`] = await page.evaluate<string[]>(FAINT)
    }
  }
  await page.goto('/app/sign-in?problem=sso_failed')
  await page.getByLabel('Email').fill(`${mode}@contrast.example.com`)
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await look('sign-in')
  await page.goto('/app/register')
  await page.getByLabel('Country').waitFor()
  await look('register')
  await enterAt(page, '/app/security', `${mode}@contrast.example.com`)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByLabel('Code').waitFor()
  await look('security')
  for (const path of ['keys', 'settings']) {
    await page.goto(`/app/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.locator('[aria-busy="true"]').count(), PATIENT).toBe(0)
    await look(path)
  }
  expect(Object.entries(faint).filter(([, texts]) => texts.length > 0)).toEqual([])
})

/** Texts with too little contrast. The browser converts every colour to RGB. */
const FAINT = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (color) => {
    const [red, green, blue] = rgba(color).map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      if (rgba(color)[3] === 255) return color
    }
    return 'white'
  }
  const ratio = (element) => {
    const [dark, light] = [getComputedStyle(element).color, behind(element)].map(luminance).sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim())
  return [...document.querySelectorAll('body *')]
    .filter((element) => hasText(element) && element.checkVisibility() && !element.matches('.unseen, option, script'))
    .filter((element) => ratio(element) < ${RATIO_MIN})
    .map((element) => ratio(element).toFixed(2) + ' ' + element.textContent)
})()`
