const TAGS = /<\/?(?:script|iframe|object)[^>]*>/gi

export const withoutTags = (html: string): string => html.replace(TAGS, '') // ← here
