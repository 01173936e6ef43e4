import type { Example } from '../../example.fixture.ts'
import { controller, servlet } from './servlet.fixture.ts'

const spel =
  'import org.springframework.expression.spel.standard.SpelExpressionParser; import org.springframework.expression.*;'

export const examples: readonly Example[] = [
  {
    rule: 'JV-SPEL-01',
    bad: [
      controller(
        `
        @GetMapping("/calc")
        public Object calc(@RequestParam String expression) {
          return new SpelExpressionParser().parseExpression(expression).getValue(); // ← here
        }`,
        spel,
      ),
      servlet(`
        Object result = ognl.Ognl.getValue(request.getParameter("expression"), new Object()); // ← here`),
      controller(
        `
        @PostMapping("/rule")
        public void rule(@RequestBody Map<String, String> body) {
          ExpressionParser parser = new SpelExpressionParser();
          Expression rule = parser.parseExpression("price > " + body.get("limit")); // ← here
        }`,
        `${spel} import java.util.Map;`,
      ),
    ],
    good: [
      controller(
        `
        @GetMapping("/calc")
        public Object calc(@RequestParam String name) {
          return new SpelExpressionParser().parseExpression("price * 2").getValue(name);
        }`,
        spel,
      ),
      controller(
        `
        @GetMapping("/calc")
        public Object calc(@RequestParam String expression) {
          EvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding().build();
          return new SpelExpressionParser().parseExpression(expression).getValue(context);
        }`,
        spel,
      ),
      controller(
        `
        @GetMapping("/calc")
        public Object calc(@RequestParam int factor) {
          return new SpelExpressionParser().parseExpression("price * " + factor).getValue();
        }`,
        spel,
      ),
    ],
  },
  {
    rule: 'JV-CODE-01',
    bad: [
      servlet(`
        javax.script.ScriptEngine engine = new javax.script.ScriptEngineManager().getEngineByName("js");
        engine.eval(request.getParameter("script")); // ← here`),
      servlet(`new groovy.lang.GroovyShell().evaluate("x = " + request.getParameter("x")); // ← here`),
      servlet(`
        org.apache.velocity.app.Velocity.evaluate(null, null, "page", request.getParameter("template")); // ← here`),
    ],
    good: [
      servlet(`
        javax.script.ScriptEngine engine = new javax.script.ScriptEngineManager().getEngineByName("js");
        engine.put("x", request.getParameter("x"));
        engine.eval("x + 1");`),
      servlet(`
        int x = Integer.parseInt(request.getParameter("x"));
        new groovy.lang.GroovyShell().evaluate("x = " + x);`),
      servlet(`org.apache.velocity.app.Velocity.evaluate(null, null, request.getParameter("tag"), "Hello");`),
    ],
  },
  {
    rule: 'JV-REFLECT-01',
    bad: [
      servlet(`Object made = Class.forName(request.getParameter("type")).newInstance(); // ← here`),
      servlet(`
        String name = "shop." + request.getParameter("type");
        Class<?> type = Class.forName(name); // ← here`),
      servlet(`
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Class<?> type = loader.loadClass(request.getHeader("X-Type")); // ← here`),
    ],
    good: [
      servlet(`
        Map<String, String> types = Map.of("a", "shop.A", "b", "shop.B");
        Class<?> type = Class.forName(types.get(request.getParameter("type")));`),
      servlet(`
        String name = request.getParameter("type");
        if (!name.equals("A") && !name.equals("B")) return;
        Class<?> type = Class.forName("shop." + name);`),
      servlet(`Class<?> driver = Class.forName("org.postgresql.Driver");`),
    ],
  },
]
