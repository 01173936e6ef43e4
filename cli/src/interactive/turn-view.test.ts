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

test('after a lost connection, the activity says what the turn waits for, until it moves on', () => {
  const activities: (string | null)[] = []
  const screen = { ...createRecordedScreen(), setActivity: (text: string | null) => activities.push(text) }
  const view = openTurnView(screen, { isDataSaver: false, onMeter: () => undefined })
  const note = (name: 'offline' | 'online') => view.show({ kind: 'note', note: name, detail: '' })
  note('offline')
  note('online')
  view.show({ kind: 'text', step: 1, isNew: false, text: 'Done.' })
  expect(activities).toEqual([
    'Thinking',
    'Waiting for the connection, at most an hour',
    'Waiting for the service, which continues after a crash within about two minutes',
    'Thinking',
  ])
})
