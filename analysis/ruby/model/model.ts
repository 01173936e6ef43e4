// The language model of Ruby.

import { returnsUntainted } from '../../engine/model-helpers.ts'
import type { CallModel, LanguageModel } from '../../language-model.ts'
import { lower } from '../lowering/lower.ts'
import { guards } from './guards.ts'
import { parameter, requestCalls, sources } from './requests.ts'
import { stringCalls } from './strings.ts'
import { onAny } from './values.ts'

/** Records and rows are stored data, whatever the query was. */
const queryCalls: CallModel = {
  name: onAny(
    `where find find_by find_by! find_by_sql find_or_create_by find_or_initialize_by order reorder joins includes pluck pick select_all
     select_rows select_value select_values exec_query exec_params find_each limit offset group having not all execute query fetch_rows
     create create! build new_record update update! update_attributes update_column update_columns insert_all upsert_all count_by_sql`,
  ),
  returns: (event) =>
    event.receiver && (event.receiver.fields || event.receiver.taints.length > 0 || event.receiver.others)
      ? undefined
      : returnsUntainted()(event),
}

export const model: LanguageModel = {
  language: 'ruby',
  lower,
  sources,
  calls: [...requestCalls, ...stringCalls, queryCalls],
  guards,
  parameter,
  globals: new Set(['ENV', 'ARGV', 'STDIN', 'STDOUT', '$stdin', '$stdout']),
}
