// Small functions about one or two numbers.
import { code, type Known } from './entry.ts'

export const numbers: readonly Known[] = [
  {
    name: 'add',
    aliases: ['addNumbers', 'plus', 'addTwo'],
    meaning: /\b(adds|add up|sum of|adding)\b.{0,12}\btwo (numbers|integers|values)/,
    does: 'Adds two numbers.',
    examples: [
      [[2, 3], 5],
      [[-1, 1], 0],
    ],
    js: code`
function add(a«: number», b«: number»)«: number» {
  return a + b;
}`,
    py: code`
def add(a, b):
    return a + b`,
  },
  {
    name: 'subtract',
    aliases: ['minus', 'sub', 'difference'],
    meaning: /\b(subtracts?|difference (of|between))\b.{0,20}\b(numbers|integers|values)/,
    does: 'Subtracts the second number from the first.',
    examples: [
      [[5, 3], 2],
      [[0, 4], -4],
    ],
    js: code`
function subtract(a«: number», b«: number»)«: number» {
  return a - b;
}`,
    py: code`
def subtract(a, b):
    return a - b`,
  },
  {
    name: 'multiply',
    aliases: ['times', 'product', 'mul'],
    meaning: /\b(multipl(y|ies)|product of)\b.{0,12}\b(numbers|integers|values)/,
    does: 'Multiplies two numbers.',
    examples: [
      [[4, 3], 12],
      [[-2, 5], -10],
    ],
    js: code`
function multiply(a«: number», b«: number»)«: number» {
  return a * b;
}`,
    py: code`
def multiply(a, b):
    return a * b`,
  },
  {
    name: 'divide',
    aliases: ['div', 'safeDivide', 'quotient'],
    meaning: /\b(divid(e|es|ing)|quotient of)\b.{0,20}\b(numbers|integers|values|zero)/,
    does: 'Divides the first number by the second and refuses to divide by zero.',
    examples: [
      [[10, 2], 5],
      [[9, 3], 3],
    ],
    js: code`
function divide(a«: number», b«: number»)«: number» {
  if (b === 0) {
    throw new Error('Cannot divide by zero');
  }
  return a / b;
}`,
    py: code`
def divide(a, b):
    if b == 0:
        raise ValueError("Cannot divide by zero")
    return a / b`,
  },
  {
    name: 'clamp',
    aliases: ['limit', 'bound'],
    meaning: /\bclamps?\b|\b(keeps?|limits?|restricts?) .{0,20}\b(between|within)\b/,
    does: 'Keeps a number between a minimum and a maximum.',
    examples: [
      [[5, 0, 10], 5],
      [[-3, 0, 10], 0],
      [[42, 0, 10], 10],
    ],
    js: code`
function clamp(value«: number», min«: number», max«: number»)«: number» {
  return Math.min(Math.max(value, min), max);
}`,
    py: code`
def clamp(value, minimum, maximum):
    return min(max(value, minimum), maximum)`,
  },
  {
    name: 'isEven',
    aliases: ['even'],
    meaning: /\b(is|whether|if).{0,20}\beven\b/,
    does: 'Says whether a whole number is even.',
    examples: [
      [[4], true],
      [[7], false],
    ],
    js: code`
function isEven(n«: number»)«: boolean» {
  return n % 2 === 0;
}`,
    py: code`
def is_even(n):
    return n % 2 == 0`,
  },
  {
    name: 'isOdd',
    aliases: ['odd'],
    meaning: /\b(is|whether|if).{0,20}\bodd\b/,
    does: 'Says whether a whole number is odd.',
    examples: [
      [[7], true],
      [[4], false],
    ],
    js: code`
function isOdd(n«: number»)«: boolean» {
  return n % 2 !== 0;
}`,
    py: code`
def is_odd(n):
    return n % 2 != 0`,
  },
  {
    name: 'square',
    aliases: ['squared'],
    meaning: /\bsquares? (of )?(a|the|its) (number|integer|value|argument)/,
    does: 'Multiplies a number by itself.',
    examples: [
      [[4], 16],
      [[-3], 9],
    ],
    js: code`
function square(n«: number»)«: number» {
  return n * n;
}`,
    py: code`
def square(n):
    return n * n`,
  },
  {
    name: 'percentage',
    aliases: ['percent', 'percentageOf', 'toPercent'],
    meaning: /\bpercent(age)?\b/,
    does: 'Says how many percent of the total a part is; nothing is no part of nothing.',
    examples: [
      [[25, 200], 12.5],
      [[1, 0], 0],
    ],
    js: code`
function percentage(part«: number», total«: number»)«: number» {
  return total === 0 ? 0 : (part / total) * 100;
}`,
    py: code`
def percentage(part, total):
    return 0 if total == 0 else part / total * 100`,
  },
  {
    name: 'roundTo',
    aliases: ['roundToDecimals', 'roundDecimals'],
    meaning: /\brounds?\b.{0,20}\b(decimals?|places)\b/,
    does: 'Rounds a number to so many decimal places.',
    examples: [
      [[3.456, 2], 3.46],
      [[2.5, 0], 3],
    ],
    js: code`
function roundTo(value«: number», places«: number»)«: number» {
  const factor = 10 ** places;
  return Math.round(value * factor) / factor;
}`,
    py: code`
import math

def round_to(value, places):
    factor = 10 ** places
    return math.floor(value * factor + 0.5) / factor`,
  },
  {
    name: 'celsiusToFahrenheit',
    aliases: ['toFahrenheit', 'cToF', 'celsius'],
    meaning: /\b(celsius|centigrade) (in)?to fahrenheit/,
    does: 'Converts degrees Celsius to Fahrenheit.',
    examples: [
      [[100], 212],
      [[0], 32],
    ],
    js: code`
function celsiusToFahrenheit(celsius«: number»)«: number» {
  return (celsius * 9) / 5 + 32;
}`,
    py: code`
def celsius_to_fahrenheit(celsius):
    return celsius * 9 / 5 + 32`,
  },
  {
    name: 'fahrenheitToCelsius',
    aliases: ['toCelsius', 'fToC', 'fahrenheit'],
    meaning: /\bfahrenheit (in)?to (celsius|centigrade)/,
    does: 'Converts degrees Fahrenheit to Celsius.',
    examples: [
      [[212], 100],
      [[32], 0],
    ],
    js: code`
function fahrenheitToCelsius(fahrenheit«: number»)«: number» {
  return ((fahrenheit - 32) * 5) / 9;
}`,
    py: code`
def fahrenheit_to_celsius(fahrenheit):
    return (fahrenheit - 32) * 5 / 9`,
  },
]
