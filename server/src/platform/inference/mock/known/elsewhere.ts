// The smallest of the known functions in languages with fewer of them.
import { code } from './entry.ts'

type Written = { readonly go: string; readonly php: string; readonly java: string }

/** By the name in camelCase. */
export const elsewhere: Readonly<Record<string, Written>> = {
  add: {
    go: code`
func Add(a, b int) int {
	return a + b
}`,
    php: code`
function add(int $a, int $b): int
{
    return $a + $b;
}`,
    java: code`
static int add(int a, int b) {
    return a + b;
}`,
  },
  subtract: {
    go: code`
func Subtract(a, b int) int {
	return a - b
}`,
    php: code`
function subtract(int $a, int $b): int
{
    return $a - $b;
}`,
    java: code`
static int subtract(int a, int b) {
    return a - b;
}`,
  },
  multiply: {
    go: code`
func Multiply(a, b int) int {
	return a * b
}`,
    php: code`
function multiply(int $a, int $b): int
{
    return $a * $b;
}`,
    java: code`
static int multiply(int a, int b) {
    return a * b;
}`,
  },
  isEven: {
    go: code`
func IsEven(n int) bool {
	return n%2 == 0
}`,
    php: code`
function isEven(int $n): bool
{
    return $n % 2 === 0;
}`,
    java: code`
static boolean isEven(int n) {
    return n % 2 == 0;
}`,
  },
  factorial: {
    go: code`
func Factorial(n int) int {
	result := 1
	for i := 2; i <= n; i++ {
		result *= i
	}
	return result
}`,
    php: code`
function factorial(int $n): int
{
    $result = 1;
    for ($i = 2; $i <= $n; $i++) {
        $result *= $i;
    }
    return $result;
}`,
    java: code`
static int factorial(int n) {
    int result = 1;
    for (int i = 2; i <= n; i++) {
        result *= i;
    }
    return result;
}`,
  },
  gcd: {
    go: code`
func Gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}`,
    php: code`
function gcd(int $a, int $b): int
{
    while ($b !== 0) {
        [$a, $b] = [$b, $a % $b];
    }
    return $a;
}`,
    java: code`
static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
}`,
  },
  isPrime: {
    go: code`
func IsPrime(n int) bool {
	if n < 2 {
		return false
	}
	for i := 2; i*i <= n; i++ {
		if n%i == 0 {
			return false
		}
	}
	return true
}`,
    php: code`
function isPrime(int $n): bool
{
    if ($n < 2) {
        return false;
    }
    for ($i = 2; $i * $i <= $n; $i++) {
        if ($n % $i === 0) {
            return false;
        }
    }
    return true;
}`,
    java: code`
static boolean isPrime(int n) {
    if (n < 2) {
        return false;
    }
    for (int i = 2; i * i <= n; i++) {
        if (n % i == 0) {
            return false;
        }
    }
    return true;
}`,
  },
  clamp: {
    go: code`
func Clamp(value, low, high int) int {
	return min(max(value, low), high)
}`,
    php: code`
function clamp(int $value, int $min, int $max): int
{
    return min(max($value, $min), $max);
}`,
    java: code`
static int clamp(int value, int min, int max) {
    return Math.min(Math.max(value, min), max);
}`,
  },
}
