// Contrast is measured once per text style. New or low-contrast styles are always found.
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { axeFaults, contrastFaults } from './axe.ts'

const app = startApp()
const FAINT = [expect.stringMatching(/^color-contrast: /)]

test('a text that loses contrast is found each time, on a page with known texts', async () => {
  const { page } = await app.open({ reducedMotion: 'reduce' })
  await page.goto('/app/sign-in')
  await page.getByLabel('Email').waitFor()
  for (const look of [axeFaults, contrastFaults, axeFaults]) expect(await look(page)).toEqual([])
  await page.evaluate(`document.querySelector('#screen-title').style.color = '#ddd'`)
  for (const look of [axeFaults, contrastFaults, axeFaults]) expect(await look(page)).toEqual(FAINT)
})

test('a colour allowed only for disabled elements is found on enabled ones', async () => {
  const { page } = await app.open({ reducedMotion: 'reduce' })
  await page.goto('/app/sign-in')
  await page.getByLabel('Email').waitFor()
  await page.evaluate(`{
    const odd = Object.assign(document.createElement('button'), { id: 'odd', textContent: 'Odd', disabled: true })
    Object.assign(odd.style, { color: '#eee', background: '#fff', opacity: 1 })
    document.querySelector('main').prepend(odd)
  }`)
  expect(await axeFaults(page)).toEqual([])
  await page.evaluate(`document.querySelector('#odd').disabled = false`)
  expect(await axeFaults(page)).toEqual(FAINT)
})
