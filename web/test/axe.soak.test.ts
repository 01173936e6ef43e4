// Contrast is measured once for each look of a text; what was not measured yet, or is too faint, is always found.
import { expect, test } from 'vitest'
import { startApp } from './app.ts'
import { axeFaults, contrastFaults } from './axe.ts'

const app = startApp()
const FAINT = [expect.stringMatching(/^color-contrast: /)]

test('a text that becomes faint is found each time, on a page whose other texts are known', async () => {
  const { page } = await app.open({ reducedMotion: 'reduce' })
  await page.goto('/app/sign-in')
  await page.getByLabel('Email').waitFor()
  for (const look of [axeFaults, contrastFaults, axeFaults]) expect(await look(page)).toEqual([])
  await page.evaluate(`document.querySelector('#screen-title').style.color = '#ddd'`)
  for (const look of [axeFaults, contrastFaults, axeFaults]) expect(await look(page)).toEqual(FAINT)
})

test('a colour that is only allowed on what is disabled is found on what is not', async () => {
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
