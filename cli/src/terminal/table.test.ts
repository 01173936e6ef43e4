import { expect, test } from 'vitest'
import { table } from './table.ts'

const columns = [{ title: 'day' }, { title: 'cost', right: true }, { title: 'note' }]
const rows = [
  ['2026-11-14', '₦1,500.50', ''],
  ['2026-11-15', '₦5.00', 'كورس'],
]

test('columns are aligned, amounts to the right, without trailing spaces', () => {
  expect(table(columns, rows, 80)).toEqual([
    '  day              cost  note',
    '  2026-11-14  ₦1,500.50',
    '  2026-11-15      ₦5.00  كورس',
  ])
})

test('on a narrow terminal each row is several lines, without empty values', () => {
  expect(table(columns, rows, 28)).toEqual([
    '  2026-11-14',
    '    cost: ₦1,500.50',
    '  2026-11-15',
    '    cost: ₦5.00',
    '    note: كورس',
  ])
})

test('an empty table has no header', () => {
  expect(table(columns, [], 80)).toEqual([])
})
