import { expect, test } from 'vitest'
import { chooseTheme, codeOf } from './theme.ts'

test.for([
  [{ TERM: 'xterm-256color' }, 'dark'],
  [{ TERM: 'xterm-256color', COLORFGBG: '0;15' }, 'light'],
  [{ TERM: 'xterm-256color', COLORFGBG: '15;0' }, 'dark'],
  [{ TERM: 'rxvt', COLORFGBG: '0;default;7' }, 'light'],
  [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'none'],
  [{ TERM: 'xterm-256color', NO_COLOR: '' }, 'dark'],
  [{ TERM: 'dumb' }, 'none'],
  [{ TERM: 'vt100' }, 'none'],
  [{ TERM: 'vt100', COLORTERM: 'truecolor' }, 'dark'],
  [{}, 'none'],
] as const)('%j has the theme %s', ([env, theme]) => expect(chooseTheme(env)).toBe(theme))

test('the setting of the user wins, except over NO_COLOR', () => {
  expect(chooseTheme({ TERM: 'dumb' }, 'light')).toBe('light')
  expect(chooseTheme({ TERM: 'xterm', NO_COLOR: '1' }, 'light')).toBe('none')
  expect(chooseTheme({ TERM: 'xterm' }, 'none')).toBe('none')
  expect([codeOf('none', 'red'), codeOf('light', 'cyan'), codeOf('dark', undefined)]).toEqual(['', '34', ''])
})
