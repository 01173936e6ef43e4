// What a review has not seen. A changed source file that could not be looked at keeps a change from being called well: otherwise
// a fault would only have to be put where we do not look.
import { languageOf } from '@cowrie/analysis/engine/skipped-files.ts'
import type { UnreviewedFile } from '../pull/change-set.ts'

/** Folders of other people's code, which nobody reviews. */
const FOREIGN = /(?:^|\/)(?:node_modules|bower_components|vendor|third_party)\//
/** What the owners want left alone, and what brings no new line. */
const NOTHING_TO_SEE = new Set(['ignored_by_policy', 'deleted', 'renamed', 'only_deleted_lines'])

/** Source files of a language that we know, of which nothing or not all was looked at. */
export const unreviewedSources = (notReviewed: readonly UnreviewedFile[]): UnreviewedFile[] =>
  notReviewed.filter(
    ({ path, reason }) => !NOTHING_TO_SEE.has(reason) && !FOREIGN.test(path) && languageOf(path) !== null,
  )
