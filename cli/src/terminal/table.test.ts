import { expect, test } from 'vitest'
import { table } from './table.ts'

const columns = [{ title: 'day' }, { title: 'cost', right: true }, { title: 'note' }]
const rows = [
  ['2026-11-14', '₦1,500.50', ''],
  ['2026-11-15', '₦5.00', 'كورس'],
]

test('rows stand under each other, amounts by their last digit, and nothing trails', () => {
  expect(table(columns, rows, 80)).toEqual([
    '  day              cost  note',
    '  2026-11-14  ₦1,500.50',
    '  2026-11-15      ₦5.00  كورس',
  ])
})

test('where they do not fit, each row is a few lines, and says nothing of what it does not have', () => {
  expect(table(columns, rows, 28)).toEqual([
    '  2026-11-14',
    '    cost: ₦1,500.50',
    '  2026-11-15',
    '    cost: ₦5.00',
    '    note: كورس',
  ])
})

test('no rows have no head', () => {
  expect(table(columns, [], 80)).toEqual([])
})
