import sanitizeHtml from 'sanitize-html'

export const clean = (html: string): string => sanitizeHtml(html, { allowedTags: ['b', 'i'] })
