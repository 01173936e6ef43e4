// Small functions that a mathematics lesson knows.
import { code, type Known } from './entry.ts'

export const mathematics: readonly Known[] = [
  {
    name: 'factorial',
    aliases: ['fact'],
    meaning: /\bfactorial\b/,
    does: 'Multiplies all whole numbers from 1 to n.',
    examples: [
      [[5], 120],
      [[0], 1],
    ],
    js: code`
function factorial(n«: number»)«: number» {
  if (!Number.isInteger(n) || n < 0) {
    throw new RangeError('n must be a whole number that is not negative');
  }
  let result = 1;
  for (let i = 2; i <= n; i++) {
    result *= i;
  }
  return result;
}`,
    py: code`
def factorial(n):
    if n < 0:
        raise ValueError("n must not be negative")
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result`,
  },
  {
    name: 'fibonacci',
    aliases: ['fib'],
    meaning: /\bfibonacci\b/,
    does: 'Returns the n-th Fibonacci number, counting from fibonacci(0) = 0.',
    examples: [
      [[0], 0],
      [[1], 1],
      [[10], 55],
    ],
    js: code`
function fibonacci(n«: number»)«: number» {
  let current = 0;
  let next = 1;
  for (let i = 0; i < n; i++) {
    const sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}`,
    py: code`
def fibonacci(n):
    current, following = 0, 1
    for _ in range(n):
        current, following = following, current + following
    return current`,
  },
  {
    name: 'isPrime',
    aliases: ['prime', 'checkPrime'],
    meaning: /\bprime( number)?\b/,
    does: 'Says whether a number is prime.',
    examples: [
      [[2], true],
      [[9], false],
      [[13], true],
      [[1], false],
    ],
    js: code`
function isPrime(n«: number»)«: boolean» {
  if (n < 2) {
    return false;
  }
  for (let i = 2; i * i <= n; i++) {
    if (n % i === 0) {
      return false;
    }
  }
  return true;
}`,
    py: code`
def is_prime(n):
    if n < 2:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            return False
        divisor += 1
    return True`,
  },
  {
    name: 'gcd',
    aliases: ['greatestCommonDivisor', 'hcf'],
    meaning: /\b(greatest|highest) common (divisor|factor)\b/,
    does: 'Returns the greatest common divisor of two whole numbers.',
    examples: [
      [[12, 18], 6],
      [[7, 5], 1],
    ],
    js: code`
function gcd(a«: number», b«: number»)«: number» {
  let x = Math.abs(a);
  let y = Math.abs(b);
  while (y !== 0) {
    const rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}`,
    py: code`
def gcd(a, b):
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a`,
  },
  {
    name: 'lcm',
    aliases: ['leastCommonMultiple', 'lowestCommonMultiple'],
    meaning: /\b(least|lowest|smallest) common multiple\b/,
    does: 'Returns the least common multiple of two whole numbers.',
    examples: [
      [[4, 6], 12],
      [[0, 5], 0],
    ],
    js: code`
function lcm(a«: number», b«: number»)«: number» {
  if (a === 0 || b === 0) {
    return 0;
  }
  let x = Math.abs(a);
  let y = Math.abs(b);
  while (y !== 0) {
    const rest = x % y;
    x = y;
    y = rest;
  }
  return Math.abs(a * b) / x;
}`,
    py: code`
def lcm(a, b):
    if a == 0 or b == 0:
        return 0
    x, y = abs(a), abs(b)
    while y:
        x, y = y, x % y
    return abs(a * b) // x`,
  },
  {
    name: 'isLeapYear',
    aliases: ['leapYear', 'leap'],
    meaning: /\bleap year\b/,
    does: 'Says whether a year has a 29th of February.',
    examples: [
      [[2024], true],
      [[1900], false],
      [[2000], true],
    ],
    js: code`
function isLeapYear(year«: number»)«: boolean» {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}`,
    py: code`
def is_leap_year(year):
    return (year % 4 == 0 and year % 100 != 0) or year % 400 == 0`,
  },
  {
    name: 'fizzBuzz',
    aliases: ['fizz'],
    meaning: /\bfizz ?buzz\b/,
    does: 'Says Fizz for multiples of 3, Buzz for multiples of 5, FizzBuzz for both, and the number otherwise.',
    examples: [
      [[3], 'Fizz'],
      [[10], 'Buzz'],
      [[15], 'FizzBuzz'],
      [[7], '7'],
    ],
    js: code`
function fizzBuzz(n«: number»)«: string» {
  if (n % 15 === 0) {
    return 'FizzBuzz';
  }
  if (n % 3 === 0) {
    return 'Fizz';
  }
  return n % 5 === 0 ? 'Buzz' : String(n);
}`,
    py: code`
def fizz_buzz(n):
    if n % 15 == 0:
        return "FizzBuzz"
    if n % 3 == 0:
        return "Fizz"
    return "Buzz" if n % 5 == 0 else str(n)`,
  },
  {
    name: 'power',
    aliases: ['pow', 'exponent'],
    meaning: /\bto the power\b|\bexponents?\b|\braises? .{0,20}\bpower\b/,
    does: 'Raises a base to an exponent.',
    examples: [
      [[2, 10], 1024],
      [[5, 0], 1],
    ],
    js: code`
function power(base«: number», exponent«: number»)«: number» {
  return base ** exponent;
}`,
    py: code`
def power(base, exponent):
    return base ** exponent`,
  },
]
