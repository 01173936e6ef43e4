import { describe, expect, test } from 'vitest'
import { html, webUrl } from '../../kernel/html.ts'
import { LANGUAGE_CODES } from '../texts/language.ts'
import { plainMail, renderMail, translateMail, withoutAutoLinks } from './template.ts'

describe('html', () => {
  test('escapes every text, in content and in attributes', () => {
    const hostile = `<img src=x onerror="alert(1)">&'\``
    const { markup } = html`<p title="${hostile}">${hostile} ${7}</p>`
    expect(markup).not.toMatch(/<img|onerror="|'|`/)
    expect(markup).toContain('&#60;img src=x onerror=&#34;alert(1)&#34;&#62;&#38;&#39;&#96; 7</p>')
  })

  test('keeps nested html, also in lists', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>`.markup).toBe('<ul><li>a</li><li>&#60;b&#62;</li></ul>')
  })

  test('accepts only web links', () => {
    expect(webUrl('https://cowrie.example/a?b=c&d')).toBe('https://cowrie.example/a?b=c&d')
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])
      expect(() => webUrl(url)).toThrow('http or https')
    expect(() => webUrl('not an address')).toThrow()
  })
})

describe('a plain mail', () => {
  const url = 'https://cowrie.example/auth/verify?token=a&next=/'
  const mail = renderMail(
    plainMail('Confirm <your> address', ['Hello Ada & co.', 'Please confirm.'], {
      label: 'Confirm',
      url,
    }),
  )

  test('has the same content as text and HTML', () => {
    expect(mail.text).toBe(`Hello Ada & co.\n\nPlease confirm.\n\nConfirm:\n${url}\n\nCowrie\n`)
    expect(mail.html).toContain(
      '<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">Confirm &#60;your&#62; address</h1>',
    )
    expect(mail.html).toContain('Hello Ada &#38; co.')
    expect(mail.html).toContain(`<a href="${url.replace('&', '&#38;')}"`)
  })

  test('loads no external content and has no scripts, so that opening it is not tracked', () => {
    expect(mail.html).not.toMatch(/<img|<script|<link|@import|url\(|src=/i)
    expect(mail.html.match(/https?:\/\/[^/]+/g)).toEqual(['https://cowrie.example', 'https://cowrie.example'])
  })

  test('supports light and dark themes and fits a phone', () => {
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(mail.html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(mail.html).toContain('max-width:560px')
  })

  test('may have no button', () => {
    const { text, html: markup } = renderMail(plainMail('Hello', ['One.']))
    expect(text).toBe('One.\n\nCowrie\n')
    expect(markup).not.toContain('<a ')
  })
})

describe('a mail in another language', () => {
  const invited = plainMail(
    'You are invited to Kobo & Co on Cowrie',
    [
      'Ada Obi has invited you to the team “Kobo & Co”.',
      'If you did not expect this, you can ignore this mail.',
    ],
    { label: 'Accept the invitation', url: 'https://cowrie.example/app/reset#token=a' },
    { label: 'Leave this team without signing in', url: 'https://cowrie.example/leave' },
  )

  test.for(LANGUAGE_CODES)('is whole in %s, with its names and links', (language) => {
    const mail = translateMail(language, invited)
    const { subject, text, html: markup } = renderMail(mail ?? plainMail('', []), language)
    expect(subject).toContain('Kobo & Co')
    for (const kept of ['Ada Obi', 'https://cowrie.example/leave']) expect(text).toContain(kept)
    expect(markup).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(markup.includes('It is not advertising')).toBe(language === 'en')
    expect(/Accept the|has invited|Leave this/.test(text)).toBe(language === 'en')
  })

  test('is English as a whole if one of its texts has no translation', () => {
    expect(translateMail('fr', { ...invited, paragraphs: [...invited.paragraphs, 'Psst.'] })).toBeNull()
    expect(translateMail('fr', { ...invited, button: { label: 'Go', url: 'https://a.example' } })).toBeNull()
  })
})

describe('text of another user', () => {
  test.for([
    ['Win at https://evil.example/now', 'Win at https   evil example now'],
    ['www.evil.example', 'www evil example'],
    ['evil。example and evil．example', 'evil example and evil example'],
    ['mallory@evil.example', 'mallory evil example'],
    ['Ada & Co. Ltd.', 'Ada & Co. Ltd.'],
    ['Blocked: write to us', 'Blocked: write to us'],
  ] as const)('contains no link: %s', ([words, kept]) => {
    expect(withoutAutoLinks(words)).toBe(kept)
  })
})
