// Dates as they stand in prompts and reports.

/** The day of an instant, in UTC: 2026-11-16. */
export const toIsoDate = (instant: Date): string => instant.toISOString().slice(0, 10)
