// The language model of PHP.
import { returnsUntainted } from '../../engine/model-helpers.ts'
import type { LanguageModel } from '../../language-model.ts'
import { lower } from '../lowering/lower.ts'
import { guards } from './guards.ts'
import { requestCalls, requestParameter, sources } from './requests.ts'
import { stringCalls } from './strings.ts'
import { words } from './values.ts'

export const model: LanguageModel = {
  language: 'php',
  lower,
  sources,
  calls: [
    ...requestCalls,
    ...stringCalls,
    // The result of a query is stored data, whatever the query was.
    {
      name: words(
        `mysqli_query mysql_query pg_query mysqli_fetch_assoc mysqli_fetch_array mysqli_fetch_row *.fetch *.fetchAll *.fetchColumn
         *.fetch_assoc *.fetch_array *.get_results *.get_row *.get_var *.get_col *.execute *.fetch_object *.fetchAssociative *.find
         *.findOneBy *.findBy *.findOrFail *.count *.exists curl_exec get_option get_post_meta get_user_meta get_post`,
      ),
      returns: returnsUntainted(),
    },
    { name: ['PDO'], returns: ({ isNew }) => (isNew ? { taints: [], type: 'PDO' } : undefined) },
    { name: ['mysqli'], returns: ({ isNew }) => (isNew ? { taints: [], type: 'mysqli' } : undefined) },
  ],
  guards,
  parameter: requestParameter,
  globals: new Set([
    '$_GET',
    '$_POST',
    '$_REQUEST',
    '$_COOKIE',
    '$_SERVER',
    '$_FILES',
    '$_ENV',
    '$_SESSION',
    '$GLOBALS',
  ]),
}
