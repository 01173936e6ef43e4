// What models are asked in research, and what is read out of their answers. Nothing here asks anybody: texts in, texts out.
export { extractMessages, parseFindings } from './extract-prompt.ts'
export { fallbackQueries, gapMessages, parseQueries } from './gap-prompt.ts'
export { selectPassages } from './passages.ts'
export { fallbackPlan, parsePlan, planMessages } from './plan-prompt.ts'
export { quoteFindings } from './quote-findings.ts'
export { parseRepairs, repairMessages } from './repair-prompt.ts'
export { parseReport, reportMessages } from './report-prompt.ts'
