import { expect, test } from 'vitest'
import { createRecordedScreen } from '../../test/recorded-screen.ts'
import { openTurnView } from './turn-view.ts'

test('failed attempts of the model in a row are noted once', () => {
  const screen = createRecordedScreen()
  const view = openTurnView(screen, { isDataSaver: false, onMeter: () => undefined })
  const retrying = { kind: 'note', note: 'retrying', detail: '' } as const
  view.show(retrying)
  view.show(retrying)
  view.show({ kind: 'text', step: 1, isNew: true, text: 'Half an answer' })
  view.show(retrying)
  const note = 'The model did not answer; trying again.'
  expect(screen.shown).toEqual([note, 'Half an answer', note])
})
