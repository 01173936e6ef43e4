// What models are asked in research, and what is read out of their answers. Nothing here asks anybody: texts in, texts out.
export { extractMessages, findingsIn } from './findings.ts'
export { fallbackQueries, gapMessages, queriesIn } from './gaps.ts'
export { passagesOf } from './passages.ts'
export { fallbackPlan, planIn, planMessages } from './plan.ts'
export { quotedFindings } from './quoted.ts'
export { repairMessages, repairsIn } from './repair.ts'
export { reportIn, reportMessages } from './report.ts'
