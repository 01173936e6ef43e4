// Modern language constructs that every grammar is measured against. Each source is valid in the current release of its language.

export type Construct = { readonly grammar: string; readonly name: string; readonly source: string }

const of = (grammar: string, sources: Readonly<Record<string, string>>): Construct[] =>
  Object.entries(sources).map(([name, source]) => ({ grammar, name, source }))

export const CONSTRUCTS: readonly Construct[] = [
  ...of('javascript', {
    'using declaration': 'function f() {\n  using file = open()\n  return file.size\n}\n',
    'await using declaration': 'async function f() {\n  await using db = connect()\n  return db.rows\n}\n',
    'import attributes': "import data from './data.json' with { type: 'json' }\nuse(data)\n",
    'regular expression with the v flag': 'const greek = /[\\p{Script=Greek}--[α-γ]]/v\n',
    'class static block': 'class A {\n  static #count = 0\n  static {\n    A.#count = 1\n  }\n}\n',
    'private name check': 'class A {\n  #a\n  static is(o) {\n    return #a in o\n  }\n}\n',
  }),
  ...of('typescript', {
    'using declaration': 'function f(): number {\n  using file = open()\n  return file.size\n}\n',
    'await using declaration':
      'async function f() {\n  await using db = await connect()\n  return db.rows\n}\n',
    'satisfies operator': 'const a = { b: 1 } satisfies Record<string, number>\nf(a)\n',
    'const type parameter':
      'function pair<const T extends readonly unknown[]>(values: T): T {\n  return values\n}\n',
    'decorator with accessor': 'class A {\n  @logged accessor size: number = 1\n}\n',
    'import attributes': "import data from './data.json' with { type: 'json' }\nuse(data)\n",
    'variance annotations': 'interface Box<in out T> {\n  value: T\n}\n',
  }),
  ...of('tsx', {
    'generic arrow function beside elements':
      'const List = <const T,>(p: { all: T[] }) => <ul>{p.all.map(String)}</ul>\n',
  }),
  ...of('python', {
    'match statement':
      'match point:\n    case Point(x=0, y=y) if y > 0:\n        pass\n    case [1, *rest] | {"a": _, **more}:\n        pass\n    case _:\n        pass\n',
    'generic function and class':
      'def first[T: (int, str), *Ts, **P](items: list[T]) -> T:\n    return items[0]\n\n\nclass Box[T]:\n    value: T\n',
    'type statement': 'type Tree[T] = T | list[Tree[T]]\n',
    'nested quotes in an f-string': 'print(f"{", ".join(names)} {f"{a + 1:>{width}}"}")\n',
    'except groups': 'try:\n    run()\nexcept* (ValueError, OSError) as group:\n    print(group)\n',
    'assignment expression': 'while (chunk := read()) and len(chunk) > 1:\n    use(chunk)\n',
    'type parameter default': 'class Box[T = int]:\n    value: T\n\n\ntype Pair[A, B = A] = tuple[A, B]\n',
  }),
  ...of('php', {
    'enum with constants':
      "<?php\nenum Suit: string {\n    case Hearts = 'H';\n    const Wild = self::Hearts;\n    public const string NAME = 'suit';\n}\n",
    'readonly class':
      '<?php\nfinal readonly class Point {\n    public function __construct(public int $x, private ?int $y = null) {}\n}\n',
    'property hooks':
      '<?php\nclass User {\n    public string $name {\n        get => ucfirst($this->name);\n        set(string $value) {\n            $this->name = trim($value);\n        }\n    }\n}\n',
    'match expression':
      "<?php\n$text = match (true) {\n    $a > 1, $a < -1 => 'far',\n    default => throw new Error('near'),\n};\n",
    'first-class callable':
      '<?php\n$length = strlen(...);\n$save = $this->save(...);\n$make = Box::make(...);\n',
    'asymmetric visibility': '<?php\nclass Box {\n    public private(set) string $name = "a";\n}\n',
  }),
  ...of('java', {
    record:
      'record Point(int x, int y) implements Shape {\n  Point {\n    if (x < 0) throw new IllegalArgumentException();\n  }\n}\n',
    'record pattern':
      'class A {\n  int f(Object o) {\n    return o instanceof Pair(Point(var x, int y), var b) ? x : 0;\n  }\n}\n',
    'switch pattern with a guard':
      'class A {\n  String f(Object o) {\n    return switch (o) {\n      case Integer i when i > 1 -> "many";\n      case null, default -> "none";\n    };\n  }\n}\n',
    'sealed interface':
      'sealed interface Shape permits Circle, Square {}\nnon-sealed class Circle implements Shape {}\n',
    'text block': 'class A {\n  String sql = """\n      select "a"\n      from b\n      """;\n}\n',
    'unnamed variables':
      'class A {\n  void f(Object o) {\n    if (o instanceof Pair(var a, _)) {\n      for (var _ : all()) count(a);\n    }\n    try { g(); } catch (Exception _) { h(x -> _ -> 1); }\n  }\n}\n',
  }),
  ...of('go', {
    'generic function and type':
      'package a\n\ntype List[T any] struct{ items []T }\n\nfunc Map[T, U any](in []T, f func(T) U) []U { return nil }\n',
    'range over a function':
      'package a\n\nfunc All(n int) iter.Seq[int] {\n\treturn func(yield func(int) bool) { yield(n) }\n}\n\nfunc f() {\n\tfor v := range All(3) {\n\t\tuse(v)\n\t}\n}\n',
    'range over an integer':
      'package a\n\nfunc f() {\n\tfor range 3 {\n\t\tg()\n\t}\n\tfor i := range 10 {\n\t\tuse(i)\n\t}\n}\n',
    'type set': 'package a\n\ntype Number interface {\n\t~int | ~int64 | ~float64\n\tString() string\n}\n',
    'generic type alias': 'package a\n\ntype Set[T comparable] = map[T]struct{}\n',
  }),
  ...of('ruby', {
    'pattern matching':
      'case config\nin {name: String => name, roles: [*, :admin, *]} if name.size > 1\n  name\nin [Integer | Float => x, *]\n  x\nend\n',
    'endless method': 'def square(x) = x * x\ndef self.name = "a"\n',
    'hash shorthand': 'x = 1\ny = 2\npoint = {x:, y:}\ndraw(x:, y:)\n',
  }),
  ...of('rust', {
    'let-else': 'fn f(a: Option<i32>) -> i32 {\n    let Some(b) = a else { return 0 };\n    b\n}\n',
    'let chains':
      'fn f(a: Option<i32>) -> bool {\n    if let Some(b) = a && b > 1 && let Ok(c) = g(b) {\n        return c;\n    }\n    false\n}\n',
    'generic associated types':
      "trait Lend {\n    type Item<'a>: Copy where Self: 'a;\n    fn next<'a>(&'a mut self) -> Self::Item<'a>;\n}\n",
    'async closure':
      'fn f() {\n    let g = async |x: i32| x + 1;\n    let h = async move || g(1).await;\n    run(h);\n}\n',
    'const generics with a default':
      'struct Buffer<T, const N: usize = { 4 * 2 }> {\n    items: [T; N],\n}\n',
  }),
  ...of('c', {
    'attributes, nullptr and constexpr':
      '[[nodiscard]] constexpr int size = 4;\nint *p = nullptr;\ntypeof(size) other = 0b1010;\n',
  }),
  ...of('cpp', {
    concepts:
      'template <typename T>\nconcept Small = requires(T a) {\n  { a.size() } -> std::same_as<int>;\n} && sizeof(T) < 8;\ntemplate <Small T> auto f(T a) requires std::integral<T> { return a; }\n',
    ranges:
      'auto even = numbers | std::views::filter([](int n) { return n % 2 == 0; }) | std::views::take(3);\n',
    'three-way comparison': 'struct A {\n  int a;\n  auto operator<=>(const A&) const = default;\n};\n',
    modules:
      'module;\n#include <cstdio>\nexport module shop:cart;\nimport std;\nexport import :items;\nexport int total();\n',
    coroutines: 'task<int> f() {\n  co_await g();\n  co_yield 1;\n  co_return 2;\n}\n',
    'designated initialisers': 'struct P { int x; int y; };\nP p{.x = 1, .y = 2};\n',
  }),
  ...of('c-sharp', {
    'record with a primary constructor':
      'public record Point(int X, int Y = 0) : Shape(1);\npublic class Box(int size) : Base(size) { public int Size => size; }\n',
    'raw string': 'class A { string s = """\n    {"a": "b"}\n    """; string t = $$"""{{{s}}}"""; }\n',
    'collection expression': 'class A { int[] all = [1, 2, ..rest]; List<int> none = []; }\n',
    'list pattern': 'class A { bool F(int[] a) => a is [1, .., > 2] or [var x, _]; }\n',
    'required member': 'class A { public required string Name { get; init; } }\n',
  }),
  ...of('kotlin', {
    'value class and data object':
      '@JvmInline\nvalue class Id(val value: String)\n\nsealed interface State\ndata object Idle : State\n',
    'functional interface': 'fun interface Run {\n    fun run(): Int\n}\n',
    'guard in when':
      'fun f(a: Any) = when (a) {\n    is String if a.length > 1 -> 1\n    is Int -> 2\n    else -> 3\n}\n',
  }),
  ...of('scala', {
    'enum, given, using and extension':
      'enum Color(val rgb: Int):\n  case Red extends Color(1)\n  case Mix(a: Int) extends Color(a)\n\ngiven Ordering[Color] = Ordering.by(_.rgb)\n\nextension (c: Color)\n  def show(using p: Printer): String = p.print(c)\n',
    'opaque and union types':
      'object A:\n  opaque type Id = String\n  type Both[T] = T match\n    case Int => String\n    case _ => T | Null\n',
  }),
  ...of('css', {
    nesting:
      '@layer base {\n  .card {\n    color: red;\n    &:hover { color: blue; }\n    > p { margin: 0; }\n    @media (min-width: 600px) { padding: 1rem; }\n  }\n}\n',
    'container query': '@container card (inline-size > 30em) {\n  .a:has(> img) { color: red; }\n}\n',
  }),
]
